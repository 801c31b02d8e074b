#include "compiler/analysis/fix_trials.h"

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
  const std::string harm = is_whole ? attempt_(plan, chosen) : "";
  if (is_whole && harm.empty()) {
    for (const std::size_t i : claimed) hear_(i, Verdict::passed, "");
  } else if (claimed.size() > 1) {
    run(findings, claimed.first(claimed.size() / 2));
    run(findings, claimed.subspan(claimed.size() / 2));
  } else {
    hear_(claimed.front(), Verdict::failed, harm);
  }
}

}  // namespace gpulint
