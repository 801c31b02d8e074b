#include "compiler/fix/verify_fixes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/diagnostic.h"
#include "compiler/base/parallel.h"
#include "compiler/check/run.h"
#include "compiler/edit/fixer.h"
#include "compiler/engine/registry.h"
#include "compiler/fix/fix_trials.h"
#include "compiler/fix/trial_ground.h"
#include "compiler/fix/withhold_fixes.h"
#include "compiler/ir/node.h"
#include "compiler/project/project.h"
#include "compiler/project/reread.h"

namespace gpulint {
namespace {

/// The best verdict of a workload on any node.
struct Outlook {
  const Workload* workload = nullptr;
  std::string name;
  Ternary best = Ternary::no;  ///< Without transient states of nodes (KnownNodes).
  Ternary now = Ternary::no;   ///< With them.
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
    Outlook& outlook = outlooks.emplace_back(workload, workload->display_name());
    if (refused.contains(workload)) continue;
    for (std::size_t at = 0; at < nodes.size() && outlook.now != Ternary::yes; ++at) {
      const Ternary now = fits(placement.pod(i), placement.classes()[at]);
      outlook.now = any_of(outlook.now, now);
      outlook.best =
          any_of(outlook.best, now == Ternary::yes ? now : nodes.fits(placement.pod(i), at));
    }
  }
  return outlooks;
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

/// Tries fixes on copies of their scope, which are read, compiled and placed again.
class Verifier {
 public:
  Verifier(const CheckedScope& checked, const Request& request, const LoadProject& load,
           std::vector<Diagnostic>& findings)
      : checked_(checked),
        project_(checked.project),
        scope_(checked.scope),
        request_(request),
        load_(load),
        findings_(findings) {
    for (const ApiFinding& finding : scope_.api.findings()) {
      const Node node = finding.problem.node;
      if (!node || node.span().file >= project_.documents.size()) continue;
      const Span span = node.span();
      const Document* const document = find_document(project_.documents[span.file], span);
      if (document != nullptr) refused_.emplace(path_of(span.file), document->index);
    }
  }

  void run() {
    const bool has_places = !scope_.corpus.cluster.pools.empty() || !scope_.corpus.compiled.empty();
    if (!has_places) distrust_unseen();
    std::set<FileId> merged;  // files that kustomize merges
    for (const auto& made : scope_.corpus.made) {
      for (const NodeOrigin& origin : made->origins) merged.insert(origin.document->file);
    }
    // Edits of files that kustomize merges need a proof, too: it must still succeed.
    const std::vector<std::size_t> unproven = indexes_of([&](const Diagnostic& finding) {
      return finding.rule->proof == FixProof::placement ||
             std::ranges::any_of(finding.fix->edits,
                                 [&](const Edit& edit) { return merged.contains(edit.span.file); });
    });
    const bool has_fixes = std::ranges::any_of(
        findings_, [](const Diagnostic& finding) { return finding.fix.has_value(); });
    if (has_fixes && (has_places || !unproven.empty())) outlooks_ = outlooks_of(ground().scope());
    const auto is_inside = [&](std::size_t i) { return is_of_scope(*findings_[i].fix); };
    if (!has_places || !merged.empty() || !std::ranges::all_of(unproven, is_inside)) {
      prove_placements(unproven);
      if (has_places) rate_safety(candidates(Safety::safe), candidates(Safety::unsafe));
      return;
    }
    // neither changes what the other reads
    const std::vector<std::size_t> safe = candidates(Safety::safe);
    const std::vector<std::size_t> unsafe = candidates(Safety::unsafe);
    parallel_for(2, jobs_for(scope_.corpus.objects.size(), scope_.jobs), [&](std::size_t i) {
      i == 0 ? prove_placements(unproven) : rate_safety(safe, unsafe);
    });
    confirm_together(unproven);
  }

 private:
  /// Without nodes and tasks nothing is tried: fixes with FixProof::still_fits become unsafe.
  void distrust_unseen() {
    for (Diagnostic& finding : findings_) {
      const bool is_unseen = finding.fix && finding.rule->proof == FixProof::still_fits;
      if (is_unseen) finding.fix->safety = Safety::unsafe;
    }
  }

  /// Removes the fixes that are not proven within the limit of trials.
  void prove_placements(const std::vector<std::size_t>& unproven) {
    if (unproven.empty()) return;
    FixTrials(
        project_, findings_, ground(), 48,
        [this](Trial& trial, const TrialGround& on) { return find_more_findings(trial, on); },
        [](Diagnostic& finding, FixTrials::Verdict verdict, const std::string&) {
          if (verdict != FixTrials::Verdict::passed) finding.fix.reset();
        })
        .run(unproven);
  }

  [[nodiscard]] std::vector<std::size_t> candidates(Safety safety) const {
    return indexes_of([&](const Diagnostic& finding) {
      return finding.rule->proof != FixProof::placement && finding.fix->safety == safety &&
             is_of_scope(*finding.fix);
    });
  }

  /// Tries fixes without FixProof::placement. A fix becomes unsafe, and its title says why, if a
  /// workload that fits some node today may fit none then, or if there is a new error. The fix of a
  /// warning is removed in this case: what it corrects may work today. Errors in text that was
  /// ignored before the fix do not count: below an unknown key, or in an object that the API server
  /// rejects. Safe fixes that are not tried within the limit become unsafe.
  void rate_safety(const std::vector<std::size_t>& safe, const std::vector<std::size_t>& unsafe) {
    if (safe.empty() && unsafe.empty()) return;
    FixTrials trials(
        project_, findings_, ground(), 24,
        [this](Trial& trial, const TrialGround& on) { return find_regressions(trial, on); },
        [this](Diagnostic& finding, FixTrials::Verdict verdict, const std::string& harm) {
          const bool is_seen =
              verdict == FixTrials::Verdict::passed &&
              (finding.rule->proof != FixProof::still_fits || is_seen_to_fit(finding));
          if (verdict == FixTrials::Verdict::failed) {
            harmful_.insert(&finding);
            if (finding.severity < Severity::error) {
              finding.add_help("caution: " + harm);
              return finding.fix.reset();
            }
            finding.fix->title += ". Caution: " + harm;
          }
          if (!is_seen) finding.fix->safety = Safety::unsafe;
        });
    trials.run(safe);
    trials.run(unsafe);
  }

  /// Fixes with FixProof::placement and the others were tried apart. Removes others with which a
  /// workload loses its node once all are applied; the next round of fixing tries these again.
  void confirm_together(const std::vector<std::size_t>& unproven) {
    std::vector<std::size_t> all = indexes_of([&](const Diagnostic& finding) {
      return is_of_scope(*finding.fix) && !harmful_.contains(&finding);
    });
    const auto is_other = [&](std::size_t i) { return !std::ranges::binary_search(unproven, i); };
    const auto others = std::ranges::count_if(all, is_other);
    if (others == 0 || std::cmp_equal(others, all.size()) || are_independent(all)) return;
    std::vector<Diagnostic> chosen;
    for (const std::size_t i : all) chosen.push_back(findings_[i]);
    Trial trial(project_, std::move(chosen));
    trial.apply_to(ground());
    const Regression harm = find_displaced(trial, ground());
    if (harm.text.empty()) return;
    std::set<std::size_t> causes;
    for (const Regression::Cause& cause : harm.causes) causes.insert(all[cause.fix]);
    if (std::ranges::any_of(causes, is_other)) {
      std::erase_if(all, [&](std::size_t i) { return !causes.contains(i); });
    }
    for (const std::size_t i : all) {
      if (is_other(i)) findings_[i].fix.reset();
    }
  }

  /// Whether each fix edits other workloads than the others do, and nothing else.
  [[nodiscard]] bool are_independent(const std::vector<std::size_t>& fixes) {
    std::set<DocumentPlace> edited;
    for (const std::size_t i : fixes) {
      std::set<DocumentPlace> own;
      for (const Edit& edit : findings_[i].fix->edits) {
        const Document* const document =
            find_document(project_.documents[edit.span.file], edit.span);
        if (document == nullptr || !ground().is_separate(edit.span)) return false;
        own.emplace(edit.span.file, document->index);
      }
      for (const DocumentPlace& place : own) {
        if (!edited.insert(place).second) return false;
      }
    }
    return true;
  }

  /// Made for the first trial, before any finding changes.
  [[nodiscard]] const TrialGround& ground() {
    std::call_once(ground_once_, [this] { ground_.emplace(checked_, findings_); });
    return *ground_;
  }

  [[nodiscard]] const std::string& path_of(FileId file) const {
    return project_.sources.file(file).path();
  }

  /// Indexes of the findings with such a fix.
  [[nodiscard]] std::vector<std::size_t> indexes_of(const auto& is_candidate) const {
    std::vector<std::size_t> indexes;
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      if (findings_[i].fix && is_candidate(findings_[i])) indexes.push_back(i);
    }
    return indexes;
  }

  [[nodiscard]] bool is_of_scope(FileId file) const {
    return std::ranges::binary_search(scope_.files, file);
  }
  [[nodiscard]] bool is_of_scope(const Fix& fix) const {
    return std::ranges::all_of(fix.edits,
                               [&](const Edit& edit) { return is_of_scope(edit.span.file); });
  }

  /// Whether a workload of the finding's object certainly fits some node.
  [[nodiscard]] bool is_seen_to_fit(const Diagnostic& finding) const {
    return std::ranges::any_of(outlooks_, [&](const Outlook& outlook) {
      const Span object = outlook.workload->object.span();
      return outlook.best == Ternary::yes && object.file == finding.span.file &&
             object.contains(finding.span);
    });
  }

  /// Counts harm at the span. `text`: the first harm of the trial.
  static void blame(Trial& trial, Span span, const std::string& harm, std::string& text) {
    if (text.empty()) text = harm;
    trial.spoil(span, {}, harm);
  }

  /// The workloads that have lost their nodes in an applied trial, as a sentence that follows one
  /// about the fixes.
  [[nodiscard]] Regression find_displaced(Trial& trial, const TrialGround& ground) const {
    std::string text;
    std::multimap<std::string_view, const Outlook*> after;
    const std::vector<Outlook> outlooks = outlooks_of(*trial.reading().scope);
    for (const Outlook& outlook : outlooks) after.emplace(outlook.name, &outlook);
    for (const Outlook& before : &ground == &*ground_ ? outlooks_ : outlooks_of(ground.scope())) {
      const auto found = after.find(before.name);  // equal names: in the order of the files
      if (found == after.end()) continue;
      const Outlook& then = *found->second;
      after.erase(found);
      const bool is_worse = then.best < before.best;
      if (!is_worse && then.now >= before.now) continue;
      const std::string harm =
          fmt::format("after this change, `{}` {} no node", before.name,
                      (is_worse ? then.best : then.now) == Ternary::no ? "fits" : "may fit");
      blame(trial, before.workload->object.span(), harm, text);
    }
    return trial.outcome(text);
  }

  /// What the fixes would break, as a sentence that follows one about them.
  [[nodiscard]] Regression find_regressions(Trial& trial, const TrialGround& ground) const {
    const Rereading& reading = trial.apply_to(ground);
    if (Regression displaced = find_displaced(trial, ground); !displaced.text.empty()) {
      return displaced;
    }
    std::string text;
    std::map<std::pair<std::string_view, std::string_view>, int> allowed;  // by rule and message
    for (const Diagnostic& error : ground.findings()) {
      if (error.severity == Severity::error) ++allowed[{error.rule->id, error.message}];
    }
    const std::vector<Diagnostic> findings = check_again(ground.checked(), reading);
    for (const Diagnostic& finding : findings) {
      if (finding.severity != Severity::error) continue;
      if (--allowed[{finding.rule->id, finding.message}] >= 0) continue;
      if (was_unread(finding, reading.sources, trial)) continue;
      const std::string harm =
          fmt::format("this change causes a new error: {} ({})", finding.message, finding.rule->id);
      blame(trial, finding.span, harm, text);
    }
    return trial.outcome(text);
  }

  /// Whether a finding of a trial is in an object that the API server rejects today.
  [[nodiscard]] bool is_refused(const Diagnostic& finding, const SourceSet& sources,
                                const Trial& trial) const {
    const Document* const document = trial.document_at(finding.span);
    return document != nullptr &&
           refused_.contains({sources.file(finding.span).path(), document->index});
  }

  /// Whether an error is in text that was ignored before the fixes.
  [[nodiscard]] bool was_unread(const Diagnostic& error, const SourceSet& sources,
                                const Trial& trial) const {
    if (is_refused(error, sources, trial)) return true;
    const std::string& path = sources.file(error.span).path();
    return std::ranges::any_of(trial.fixes, [&](const Diagnostic& fixed) {
      return fixed.severity == Severity::error && path_of(fixed.span.file) == path &&
             is_below(error.path, parent_path(fixed.path));
    });
  }

  /// The rule with more findings after the fixes; empty if the fixes remove their own findings.
  [[nodiscard]] Regression find_more_findings(Trial& trial, const TrialGround& ground) const {
    const bool reads_scope = std::ranges::all_of(
        trial.plan.edits, [&](const auto& edited) { return is_of_scope(edited.first); });
    const auto found = reads_scope ? find_in_scope(trial, ground) : find_in_project(trial.plan);
    if (!found) return {"kustomize", {}};
    if (Regression displaced = reads_scope ? find_displaced(trial, ground) : Regression{};
        !displaced.text.empty()) {
      return displaced;
    }
    const std::vector<Diagnostic>& before = reads_scope ? ground.findings() : findings_;
    RuleCounts allowed = count_by_rule(before, Severity::warning);
    for (const auto& [id, number] : count_by_rule(trial.fixes, Severity::warning)) {
      allowed[id] -= number;
    }
    std::string harmful;
    for (const auto& [id, number] : count_by_rule(*found, Severity::warning)) {
      if (number <= allowed[id] || !counts_as_harm(id, trial.fixes)) continue;
      if (harmful.empty()) harmful = id;
      if (!reads_scope) continue;
      const auto count = [&, rule = id](const std::vector<Diagnostic>& findings, int by) {
        for (const Diagnostic& finding : findings) {
          const bool is_counted = finding.severity >= Severity::warning && finding.rule->id == rule;
          if (is_counted) trial.spoil(finding.span, rule, std::string(rule), by);
        }
      };
      count(before, -1);
      count(trial.fixes, 1);
      count(*found, 1);
    }
    return trial.outcome(harmful);
  }

  /// A new warning may have been true before: whether a rolling update needs one more GPU is known
  /// only once the name of the pod's resource is right.
  [[nodiscard]] static bool counts_as_harm(std::string_view id,
                                           const std::vector<Diagnostic>& fixes) {
    const RegisteredRule* const rule = find_rule(id);
    return rule == nullptr || rule->rule->info.severity == Severity::error ||
           std::ranges::any_of(fixes, [&](const Diagnostic& fix) { return fix.rule->id == id; });
  }

  /// The findings after the fixes, without those in objects that the API server rejects today,
  /// unless the fixes correct that rule. For fixes with FixProof::placement every finding
  /// counts. nullopt if a patch has lost its base.
  [[nodiscard]] std::optional<std::vector<Diagnostic>> find_in_scope(
      Trial& trial, const TrialGround& ground) const {
    const Rereading& reading = trial.apply_to(ground);
    const std::size_t parts = reading.scope->corpus.fragments.size();
    if (parts > scope_.corpus.fragments.size()) return std::nullopt;
    std::vector<Diagnostic> found = check_again(ground.checked(), reading);
    std::erase_if(found, [&](const Diagnostic& finding) {
      return is_refused(finding, reading.sources, trial) &&
             std::ranges::none_of(trial.fixes, [&](const Diagnostic& fixed) {
               return fixed.rule->proof == FixProof::placement ||
                      fixed.rule->id == finding.rule->id;
             });
    });
    return found;
  }

  /// The same for edits of gpulint.yaml or a file of tasks: everything may depend on it.
  [[nodiscard]] std::optional<std::vector<Diagnostic>> find_in_project(const FixPlan& plan) const {
    Overlay overlay;
    for (FileId id = 0; id < project_.sources.size(); ++id) {
      const SourceFile& file = project_.sources.file(id);
      const auto edited = plan.edits.find(id);
      overlay[overlay_name(request_, file)] =
          DecodedBytes(edited == plan.edits.end() ? std::string(file.text())
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
  /// Documents with objects that the API server rejects, by the path of the file and the index in
  /// it. Kubernetes does not use them today, so new errors in them do not count against a fix.
  std::set<std::pair<std::string, std::uint32_t>> refused_;
  std::once_flag ground_once_;
  std::optional<TrialGround> ground_;
  std::vector<Outlook> outlooks_;        // before the fixes
  std::set<const Diagnostic*> harmful_;  // whose fix does harm alone
};

}  // namespace

std::vector<Diagnostic> verify_fixes(const CheckedScope& checked, const Request& request,
                                     const LoadProject& load, std::vector<Diagnostic> findings) {
  withhold_fixes(checked, findings);
  Verifier(checked, request, load, findings).run();
  return findings;
}

}  // namespace gpulint
