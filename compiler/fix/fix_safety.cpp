#include "compiler/fix/fix_safety.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/edit/fixer.h"
#include "compiler/fix/fix_trials.h"
#include "compiler/project/reread.h"

namespace gpulint {
namespace {

/// Safe fixes that are not tried by then are unsafe.
constexpr FixTrials::Budget safety_budget{.usual = 24, .of_large_scopes = 2};

/// How well a workload fits the node that suits it best.
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

/// The path of the mapping that an entry stands in.
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
            [this](const FixPlan& plan, const auto& fixes) { return find_harm(plan, fixes); },
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

  /// Whether a workload in whose object the finding lies fits some node for certain.
  [[nodiscard]] bool is_seen_to_fit(const Diagnostic& finding) const {
    const std::vector<Outlook>& outlooks = *outlooks_;
    return std::ranges::any_of(outlooks, [&](const Outlook& outlook) {
      const Span object = outlook.workload->object.span();
      return outlook.best == Ternary::yes && object.file == finding.span.file &&
             object.contains(finding.span);
    });
  }

  /// What the edits would spoil, as the end of a sentence about them.
  [[nodiscard]] Harm find_harm(const FixPlan& plan, const std::vector<Diagnostic>& fixes) {
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
            fmt::format("but `{}`, which {} a node today, {} none then", before.name,
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
      blame(edited.find(finding.span, *reading),
            fmt::format("but then: {} ({})", finding.message, finding.rule->id));
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

}  // namespace

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

}  // namespace gpulint
