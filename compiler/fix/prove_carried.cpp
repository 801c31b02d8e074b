#include "compiler/fix/prove_carried.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include <fmt/format.h>

#include "compiler/edit/fixer.h"
#include "compiler/project/input_files.h"
#include "compiler/project/input_names.h"

namespace gpulint {
namespace {

constexpr int most_trials = 24;

[[nodiscard]] FindingCounts::key_type key_of(const Project& project, const Diagnostic& finding) {
  const Span place = finding.rendered ? finding.rendered->span : finding.span;
  return {std::string(finding.rule->id), project.sources.file(place).path(), finding.message};
}

/// Tries fixes, each at most once alone.
class CarriedFixes {
 public:
  CarriedFixes(const Project& project, const Request& request, const FindingCounts& before,
               const CountAgain& count_again, std::vector<Diagnostic>& findings)
      : project_(project),
        request_(request),
        before_(before),
        count_again_(count_again),
        findings_(findings) {}

  void prove() {
    std::vector<std::size_t> carried;
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      if (findings_[i].rendered && findings_[i].fix) carried.push_back(i);
    }
    divide(carried);
  }

 private:
  void divide(std::span<const std::size_t> some) {
    if (some.empty() || passes(some)) return;
    if (some.size() == 1) return drop(findings_[some.front()]);
    divide(some.first(some.size() / 2));
    divide(some.subspan(some.size() / 2));
  }

  [[nodiscard]] bool passes(std::span<const std::size_t> some) {
    if (left_ == 0) return false;
    --left_;
    std::vector<Diagnostic> fixes;
    for (const std::size_t i : some) fixes.push_back(findings_[i]);
    const FixPlan plan = plan_fixes(fixes, Safety::unsafe);
    if (plan.postponed > 0) return false;
    Overlay overlay = standard_input_of(project_.sources, request_);
    for (const auto& [file, edits] : plan.edits) {
      const SourceFile& source = project_.sources.file(file);
      overlay[overlay_name(request_, source)] =
          DecodedBytes(apply_edits(source.text(), edits), source.encoding());
    }
    const std::optional<FindingCounts> after = count_again_(overlay);
    if (!after) return false;
    const auto count_in = [](const FindingCounts& counts, const FindingCounts::key_type& key) {
      const auto at = counts.find(key);
      return at == counts.end() ? 0 : at->second;
    };
    const bool are_gone = std::ranges::all_of(fixes, [&](const Diagnostic& fixed) {
      const auto key = key_of(project_, fixed);
      return count_in(*after, key) < count_in(before_, key);
    });
    return are_gone && std::ranges::all_of(*after, [&](const auto& each) {
             return each.second <= count_in(before_, each.first);
           });
  }

  static void drop(Diagnostic& finding) {
    finding.add_help(finding.fix->title);
    finding.fix.reset();
  }

  const Project& project_;
  const Request& request_;
  const FindingCounts& before_;
  const CountAgain& count_again_;
  std::vector<Diagnostic>& findings_;
  int left_ = most_trials;
};

}  // namespace

FindingCounts count_findings(const Project& project,
                             const std::vector<std::vector<Diagnostic>>& found) {
  FindingCounts counts;
  for (const auto& some : found) {
    for (const Diagnostic& finding : some) ++counts[key_of(project, finding)];
  }
  return counts;
}

void prove_carried_fixes(const Project& project, const Request& request,
                         const FindingCounts& before, const CountAgain& count_again,
                         std::vector<Diagnostic>& findings) {
  CarriedFixes(project, request, before, count_again, findings).prove();
}

}  // namespace gpulint
