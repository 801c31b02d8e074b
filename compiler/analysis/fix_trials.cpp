#include "compiler/analysis/fix_trials.h"

#include <algorithm>
#include <utility>

namespace gpulint {
namespace {

constexpr std::size_t large_scope = 300;  // objects

}  // namespace

FixTrials::FixTrials(const Scope& scope, Budget budget, Try attempt, Hear hear)
    : left_(scope.corpus.objects.size() > large_scope ? budget.of_large_scopes : budget.usual),
      attempt_(std::move(attempt)),
      hear_(std::move(hear)) {}

void FixTrials::run(const std::vector<Diagnostic>& findings, std::span<const std::size_t> claimed) {
  if (claimed.empty()) return;
  if (left_ == 0) {
    for (const std::size_t i : claimed) hear_(i, Verdict::untried, "");
    return;
  }
  std::vector<Diagnostic> chosen;
  for (const std::size_t i : claimed) chosen.push_back(findings[i]);
  const FixPlan plan = plan_fixes(chosen, Safety::unsafe);
  const bool is_whole = plan.postponed == 0;  // as a single one always is
  if (is_whole) --left_;
  const Harm harm = is_whole ? attempt_(plan, chosen) : Harm{};
  if (is_whole && harm.text.empty()) {
    for (const std::size_t i : claimed) hear_(i, Verdict::passed, "");
  } else if (claimed.size() > 1) {
    divide(findings, claimed, harm.culprits);
  } else {
    hear_(claimed.front(), Verdict::failed, harm.text);
  }
}

void FixTrials::divide(const std::vector<Diagnostic>& findings,
                       std::span<const std::size_t> claimed,
                       const std::vector<std::size_t>& culprits) {
  if (culprits.empty() || culprits.size() == claimed.size()) {
    run(findings, claimed.first(claimed.size() / 2));
    run(findings, claimed.subspan(claimed.size() / 2));
    return;
  }
  std::vector<std::size_t> innocent;
  std::vector<std::size_t> suspect;
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    (std::ranges::binary_search(culprits, i) ? suspect : innocent).push_back(claimed[i]);
  }
  run(findings, innocent);
  run(findings, suspect);
}

}  // namespace gpulint
