#include "compiler/fix/verify_fixes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/diagnostic.h"
#include "compiler/check/run.h"
#include "compiler/edit/fixer.h"
#include "compiler/engine/registry.h"
#include "compiler/engine/selection.h"
#include "compiler/fix/fix_trials.h"
#include "compiler/ir/node.h"
#include "compiler/project/project.h"
#include "compiler/project/reread.h"

namespace gpulint {
namespace {

/// Safe fixes that are not tried within this budget become unsafe.
constexpr FixTrials::Budget safety_budget{.usual = 24, .of_large_scopes = 2};

/// The best verdict of a workload on any node.
struct Outlook {
  const Workload* workload = nullptr;
  std::string name;
  Ternary best = Ternary::no;
};

[[nodiscard]] std::vector<Outlook> outlooks_of(const Scope& scope) {
  std::vector<Outlook> outlooks;
  if (!scope.placement.nodes) return outlooks;
  std::set<const Workload*> refused;
  for (const ApiFinding& finding : scope.api.findings()) refused.insert(finding.workload);
  const KnownNodes& nodes = *scope.placement.nodes;
  const Placement& placement = nodes.placement();
  for (std::size_t i = 0; i < placement.workloads().size(); ++i) {
    const Workload* const workload = placement.workloads()[i];
    Ternary best = Ternary::no;
    for (std::size_t at = 0; at < nodes.size() && best != Ternary::yes; ++at) {
      best = any_of(best, nodes.fits(placement.pod(i), at));
    }
    if (refused.contains(workload)) best = Ternary::no;
    outlooks.push_back({workload, workload->display_name(), best});
  }
  return outlooks;
}

using ErrorCounts = std::map<std::pair<std::string_view, std::string>, int>;  // rule, message

[[nodiscard]] ErrorCounts count_errors(const std::vector<Diagnostic>& findings) {
  ErrorCounts counts;
  for (const Diagnostic& finding : findings) {
    if (finding.severity == Severity::error) ++counts[{finding.rule->id, finding.message}];
  }
  return counts;
}

/// The path of the mapping that contains an entry.
[[nodiscard]] std::string_view parent_path(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

[[nodiscard]] bool is_below(std::string_view path, std::string_view parent) {
  return path.starts_with(parent) && (parent.empty() || path.size() == parent.size() ||
                                      path[parent.size()] == '.' || path[parent.size()] == '[');
}

class Judge {
 public:
  Judge(const CheckedScope& checked, std::vector<Diagnostic>& findings)
      : checked_(checked),
        project_(checked.project),
        scope_(checked.scope),
        findings_(findings),
        trials_(
            scope_, safety_budget,
            [this](const FixPlan& plan, const auto& fixes) {
              return find_regressions(plan, fixes);
            },
            [this](std::size_t finding, FixTrials::Verdict verdict, const std::string& harm) {
              settle(findings_[finding], verdict, harm);
            }) {}

  void run() {
    for (const Safety safety : {Safety::safe, Safety::unsafe}) {
      std::vector<std::size_t> claimed;
      for (std::size_t i = 0; i < findings_.size(); ++i) {
        if (is_claimed(findings_[i], safety)) claimed.push_back(i);
      }
      if (claimed.empty()) continue;
      look_before();
      trials_.run(findings_, claimed);
    }
  }

 private:
  [[nodiscard]] bool is_claimed(const Diagnostic& finding, Safety safety) const {
    return finding.fix && finding.rule->proof != FixProof::placement &&
           finding.fix->safety == safety && !judged_.contains(&finding) &&
           std::ranges::all_of(finding.fix->edits, [&](const Edit& edit) {
             return std::ranges::binary_search(scope_.files, edit.span.file);
           });
  }

  void look_before() {
    if (outlooks_) return;
    outlooks_ = outlooks_of(scope_);
    errors_ = count_errors(findings_);
    refused_ = refused_files(project_, scope_);
  }

  [[nodiscard]] const std::string& path_of(FileId file) const {
    return project_.sources.file(file).path();
  }

  void settle(Diagnostic& finding, FixTrials::Verdict verdict, const std::string& harm) {
    switch (verdict) {
      case FixTrials::Verdict::passed:
        return pass(finding);
      case FixTrials::Verdict::failed:
        judged_.insert(&finding);
        finding.fix->title += "; " + harm;
        [[fallthrough]];
      case FixTrials::Verdict::untried:
        finding.fix->safety = Safety::unsafe;
    }
  }

  void pass(Diagnostic& finding) {
    judged_.insert(&finding);
    if (finding.rule->proof == FixProof::still_fits && !is_seen_to_fit(finding)) {
      finding.fix->safety = Safety::unsafe;
    }
  }

  /// Whether a workload of the finding's object certainly fits some node.
  [[nodiscard]] bool is_seen_to_fit(const Diagnostic& finding) const {
    const std::vector<Outlook>& outlooks = *outlooks_;
    return std::ranges::any_of(outlooks, [&](const Outlook& outlook) {
      const Span object = outlook.workload->object.span();
      return outlook.best == Ternary::yes && object.file == finding.span.file &&
             object.contains(finding.span);
    });
  }

  /// What the edits would break, as the end of a sentence about the fix.
  [[nodiscard]] Regression find_regressions(const FixPlan& plan,
                                            const std::vector<Diagnostic>& fixes) {
    const auto reading = reread(project_, scope_, plan.edits);
    const EditedDocuments edited(project_, plan);
    std::string text;
    std::set<std::optional<DocumentPlace>> spoilt;
    const auto blame = [&](std::optional<DocumentPlace> place, std::string harm) {
      if (text.empty()) text = std::move(harm);
      spoilt.insert(place);
    };
    std::multimap<std::string_view, Ternary> after;
    const std::vector<Outlook> outlooks = outlooks_of(*reading->scope);
    for (const Outlook& outlook : outlooks) after.emplace(outlook.name, outlook.best);
    for (const Outlook& before : *outlooks_) {
      const auto found = after.find(before.name);  // equal names: in the order of the files
      if (found == after.end()) continue;
      const Ternary best = found->second;
      after.erase(found);
      if (best >= before.best) continue;
      blame(edited.find(before.workload->object.span()),
            fmt::format("but `{}`, which {} a node today, then {} no node", before.name,
                        before.best == Ternary::yes ? "fits" : "may fit",
                        best == Ternary::no ? "fits" : "may fit"));
    }
    if (!text.empty()) return {text, edited.culprits(spoilt, fixes)};
    const std::vector<Diagnostic> findings = check_again(checked_, *reading);
    ErrorCounts allowed = errors_;
    for (const Diagnostic& finding : findings) {
      if (finding.severity != Severity::error) continue;
      if (--allowed[{finding.rule->id, finding.message}] >= 0) continue;
      if (was_unread(finding, reading->sources, fixes)) continue;
      blame(
          edited.find(finding.span, *reading),
          fmt::format("but then there is a new error: {} ({})", finding.message, finding.rule->id));
    }
    if (text.empty()) return {};
    return {text, edited.culprits(spoilt, fixes)};
  }

  [[nodiscard]] bool was_unread(const Diagnostic& error, const SourceSet& sources,
                                const std::vector<Diagnostic>& fixes) const {
    const std::string& path = sources.file(error.span).path();
    if (refused_.contains(path)) return true;
    return std::ranges::any_of(fixes, [&](const Diagnostic& fixed) {
      return fixed.severity == Severity::error && path_of(fixed.span.file) == path &&
             is_below(error.path, parent_path(fixed.path));
    });
  }

  const CheckedScope& checked_;
  const Project& project_;
  const Scope& scope_;
  std::vector<Diagnostic>& findings_;
  std::optional<std::vector<Outlook>> outlooks_;  // before, made when it is first needed
  ErrorCounts errors_;
  std::set<std::string> refused_;  // paths of files with objects that the API server refuses
  std::set<const Diagnostic*> judged_;
  FixTrials trials_;
};

/// Tries all fixes without FixProof::placement on a copy of the scope that is read, compiled and
/// placed again. A fix becomes unsafe, and its title says why, if a workload that fits some node
/// today may fit none then, or if there is a new error. Errors in text that was ignored before the
/// fix do not count: below an unknown key, or in an object that the API server rejects. In scopes
/// without nodes and tasks nothing is tried, and fixes with FixProof::still_fits are unsafe.
void judge_fixes(const CheckedScope& checked, std::vector<Diagnostic>& findings) {
  const Corpus& corpus = checked.scope.corpus;
  if (corpus.cluster.pools.empty() && corpus.compiled.empty()) {
    for (Diagnostic& finding : findings) {
      const bool is_unseen = finding.fix && finding.rule->proof == FixProof::still_fits;
      if (is_unseen) finding.fix->safety = Safety::unsafe;
    }
    return;
  }
  Judge(checked, findings).run();
}

/// Maps each file that is a layer of the scope's values, except the last layer, to the last one.
[[nodiscard]] std::map<FileId, FileId> nearer_layers(const Scope& scope) {
  std::map<FileId, FileId> nearer;
  for (const flyte::Installation& installation : scope.flyte.installations) {
    const flyte::LoadedRelease& loaded = installation.loaded;
    if (loaded.source != flyte::LoadedRelease::Source::values) continue;
    for (const Document* layer : loaded.documents) {
      const FileId last = loaded.documents.back()->file;
      if (layer->file != last) nearer.emplace(layer->file, last);
    }
  }
  return nearer;
}

/// The findings in other scopes; the rules run when a scope is first needed.
class OtherScopes {
 public:
  OtherScopes(const Project& project, const Scope& own, const Selection& selection)
      : project_(project), own_(own), selection_(selection) {}

  /// A scope that reads the file and has no such finding; null if there is none.
  [[nodiscard]] const Scope* find_innocent(FileId file, const Diagnostic& finding) {
    for (const Scope& scope : project_.scopes) {
      const bool is_sharing = &scope != &own_ && std::ranges::binary_search(scope.files, file);
      if (is_sharing && !has(scope, finding)) return &scope;
    }
    return nullptr;
  }

 private:
  [[nodiscard]] bool has(const Scope& scope, const Diagnostic& finding) {
    const auto [at, is_new] = found_.try_emplace(&scope);
    if (is_new) at->second = run_rules(scope.corpus, all_rules(), selection_, scope.jobs);
    return std::ranges::any_of(at->second, [&](const Diagnostic& other) {
      return other.rule == finding.rule && other.span == finding.span &&
             other.message == finding.message;
    });
  }

  const Project& project_;
  const Scope& own_;
  const Selection& selection_;
  std::map<const Scope*, std::vector<Diagnostic>> found_;
};

[[nodiscard]] std::string_view path_of(const Project& project, FileId file) {
  return project.sources.file(file).path();
}

/// Removes fixes for this cluster's nodes in a values file that other scopes share, if a later
/// layer can set the value: the help then names that layer. A fix stays if every scope that shares
/// the file has the finding.
void spare_shared_layers(const Project& project, const Scope& scope, const Selection& selection,
                         std::vector<Diagnostic>& findings) {
  if (project.scopes.size() < 2) return;
  const std::map<FileId, FileId> nearer = nearer_layers(scope);
  if (nearer.empty()) return;
  OtherScopes others(project, scope, selection);
  for (Diagnostic& finding : findings) {
    if (!finding.fix || !is_about_placement(finding)) continue;
    for (const Edit& edit : finding.fix->edits) {
      const auto layer = nearer.find(edit.span.file);
      if (layer == nearer.end()) continue;
      const Scope* const other = others.find_innocent(layer->first, finding);
      if (other == nullptr) continue;
      finding.help += fmt::format(
          "{}`{}` is also a layer of {}, which has no such finding: {} in `{}`",
          finding.help.empty() ? "" : "; ", path_of(project, layer->first),
          other->name.empty() ? "another scope" : fmt::format("scope `{}`", other->name),
          finding.fix->title, path_of(project, layer->second));
      finding.fix.reset();
      break;
    }
  }
}

/// Fixes that are not proven within this budget are not offered.
constexpr FixTrials::Budget proof_budget{.usual = 48, .of_large_scopes = 2};

class Verifier {
 public:
  Verifier(const CheckedScope& checked, const Request& request, const LoadProject& load,
           std::vector<Diagnostic>& findings)
      : checked_(checked),
        project_(checked.project),
        scope_(checked.scope),
        request_(request),
        load_(load),
        findings_(findings),
        before_(count_by_rule(findings, Severity::warning)),
        refused_(refused_files(checked.project, checked.scope)) {
    for (const auto& made : scope_.corpus.made) {
      for (const NodeOrigin& origin : made->origins) {
        merged_files_.insert(origin.document->file);
      }
    }
  }

  void run() {
    std::vector<std::size_t> claimed;
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      if (findings_[i].fix && needs_proof(findings_[i])) claimed.push_back(i);
    }
    FixTrials(
        scope_, proof_budget,
        [this](const FixPlan& plan, const auto& fixes) { return find_regressions(plan, fixes); },
        [this](std::size_t finding, FixTrials::Verdict verdict, const std::string&) {
          if (verdict != FixTrials::Verdict::passed) findings_[finding].fix.reset();
        })
        .run(findings_, claimed);
  }

 private:
  /// Fixes of FixProof::placement, and edits of files that kustomize merges: it must still succeed.
  [[nodiscard]] bool needs_proof(const Diagnostic& finding) const {
    return finding.rule->proof == FixProof::placement ||
           std::ranges::any_of(finding.fix->edits, [&](const Edit& edit) {
             return merged_files_.contains(edit.span.file);
           });
  }

  /// Findings of one rule in one document.
  using PlaceCounts = std::map<std::pair<std::optional<DocumentPlace>, std::string_view>, int>;

  /// The rule with more findings after the fixes; empty if the fixes remove their own findings.
  [[nodiscard]] Regression find_regressions(const FixPlan& plan,
                                            const std::vector<Diagnostic>& fixes) const {
    const EditedDocuments edited(project_, plan);
    PlaceCounts excess;  // findings above those that were there and stay
    const auto count = [&](const Diagnostic& finding, std::optional<DocumentPlace> place, int by) {
      if (place && !edited.places().contains(*place)) place.reset();
      if (finding.severity >= Severity::warning) excess[{place, finding.rule->id}] += by;
    };
    RuleCounts allowed = before_;
    for (const auto& [id, number] : count_by_rule(fixes, Severity::warning)) allowed[id] -= number;
    for (const Diagnostic& finding : findings_) count(finding, edited.find(finding.span), -1);
    for (const Diagnostic& fixed : fixes) count(fixed, edited.find(fixed.span), 1);
    const auto found = find_with(
        plan.edits,
        [&](const Diagnostic& finding, std::optional<DocumentPlace> place) {
          count(finding, place, 1);
        },
        edited, fixes);
    if (!found) return {"kustomize", {}};
    std::string harmful;
    std::set<std::optional<DocumentPlace>> spoilt;
    for (const auto& [id, number] : count_by_rule(*found, Severity::warning)) {
      if (number <= allowed[id] || !counts_as_harm(id, fixes)) continue;
      if (harmful.empty()) harmful = id;
      for (const auto& [key, more] : excess) {
        if (key.second == id && more > 0) spoilt.insert(key.first);
      }
    }
    return {harmful, edited.culprits(spoilt, fixes)};
  }

  /// A new warning may have been true before: whether a rolling update needs one more GPU is known
  /// only once the name of the pod's resource is right.
  [[nodiscard]] static bool counts_as_harm(std::string_view id,
                                           const std::vector<Diagnostic>& fixes) {
    const RegisteredRule* const rule = find_rule(id);
    return rule == nullptr || rule->rule->info.severity == Severity::error ||
           std::ranges::any_of(fixes, [&](const Diagnostic& fix) { return fix.rule->id == id; });
  }

  /// Whether a finding is in a file with an object that the API server rejects without the fixes,
  /// and is not of a rule that they fix. For fixes with FixProof::placement every finding counts.
  [[nodiscard]] bool was_unread(const Diagnostic& finding, const SourceSet& sources,
                                const std::vector<Diagnostic>& fixes) const {
    return refused_.contains(sources.file(finding.span).path()) &&
           std::ranges::none_of(fixes, [&](const Diagnostic& fixed) {
             return fixed.rule->proof == FixProof::placement || fixed.rule->id == finding.rule->id;
           });
  }

  /// The findings after the edits; calls `tell` for each, with its document if known. nullopt if a
  /// patch has lost its base.
  [[nodiscard]] std::optional<std::vector<Diagnostic>> find_with(
      const std::map<FileId, std::vector<Edit>>& edits, const auto& tell,
      const EditedDocuments& documents, const std::vector<Diagnostic>& fixes) const {
    const bool is_inside = std::ranges::all_of(edits, [&](const auto& edited) {
      return std::ranges::binary_search(scope_.files, edited.first);
    });
    if (is_inside) {
      const auto again = reread(project_, scope_, edits);
      const std::size_t parts = again->scope->corpus.fragments.size();
      if (parts > scope_.corpus.fragments.size()) return std::nullopt;
      std::vector<Diagnostic> found = check_again(checked_, *again);
      std::erase_if(found, [&](const Diagnostic& finding) {
        return was_unread(finding, again->sources, fixes);
      });
      for (const Diagnostic& finding : found) tell(finding, documents.find(finding.span, *again));
      return found;
    }
    // gpulint.yaml or a file of tasks: everything may depend on it
    Overlay overlay;
    for (FileId id = 0; id < project_.sources.size(); ++id) {
      const SourceFile& file = project_.sources.file(id);
      const auto edited = edits.find(id);
      overlay[overlay_name(request_, file)] =
          DecodedBytes(edited == edits.end() ? std::string(file.text())
                                             : apply_edits(file.text(), edited->second),
                       file.encoding());
    }
    const auto project = load_(request_, overlay);
    const auto same = std::ranges::find_if(project->scopes, [&](const Scope& scope) {
      return scope.name == scope_.name && scope.files == scope_.files;
    });
    if (same == project->scopes.end()) return findings_;
    return run_rules(same->corpus, all_rules(), checked_.selection);
  }

  const CheckedScope& checked_;
  const Project& project_;
  const Scope& scope_;
  const Request& request_;
  const LoadProject& load_;
  std::vector<Diagnostic>& findings_;
  RuleCounts before_;
  std::set<std::string> refused_;
  std::set<FileId> merged_files_;  // files that kustomize merges
};

/// Whether the object has the label of a Flyte chart that Helm rendered.
[[nodiscard]] bool is_rendered_by_flyte(const Document& document) {
  const Node labels = root(document).at("metadata", "labels");
  return labels.get("helm.sh/chart").text().starts_with("flyte");
}

/// Text of rendered manifests: fixes there are lost at the next rendering.
[[nodiscard]] std::vector<Span> rendered_text(const Scope& scope) {
  std::vector<Span> spans;
  for (const flyte::Installation& installation : scope.flyte.installations) {
    if (installation.loaded.source != flyte::LoadedRelease::Source::manifests) continue;
    for (const Document* document : installation.loaded.documents) {
      spans.push_back(document->host == nullptr ? document->span : document->host->span);
      spans.back().file = document->file;
    }
  }
  for (const Document* document : scope.corpus.documents) {
    if (!document->errors.empty() || !is_rendered_by_flyte(*document)) continue;
    spans.push_back(document->span);
    spans.back().file = document->file;
  }
  return spans;
}

/// The values file that rendered manifests come from, if it is among the inputs.
[[nodiscard]] const Document* find_values(const Scope& scope) {
  for (const flyte::Installation& installation : scope.flyte.installations) {
    const flyte::LoadedRelease& loaded = installation.loaded;
    if (loaded.source == flyte::LoadedRelease::Source::values && !loaded.documents.empty()) {
      return loaded.documents.back();
    }
  }
  return nullptr;
}

void spare_rendered_text(const Project& project, const Scope& scope,
                         std::vector<Diagnostic>& findings) {
  const Document* const values = find_values(scope);
  if (values == nullptr) return;
  const std::vector<Span> rendered = rendered_text(scope);
  for (Diagnostic& finding : findings) {
    if (!finding.fix) continue;
    const bool is_rendered = std::ranges::any_of(finding.fix->edits, [&](const Edit& edit) {
      return std::ranges::any_of(rendered, [&](Span span) { return span.contains(edit.span); });
    });
    if (!is_rendered) continue;
    finding.help = fmt::format("this was rendered by Helm: {} in `{}` and render again",
                               finding.fix->title, project.sources.file(values->file).path());
    finding.fix.reset();
  }
}

}  // namespace

std::vector<Diagnostic> verify_fixes(const CheckedScope& checked, const Request& request,
                                     const LoadProject& load, std::vector<Diagnostic> findings) {
  spare_rendered_text(checked.project, checked.scope, findings);
  spare_shared_layers(checked.project, checked.scope, checked.selection, findings);
  Verifier(checked, request, load, findings).run();
  judge_fixes(checked, findings);
  return findings;
}

}  // namespace gpulint
