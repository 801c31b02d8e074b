#include "compiler/engine/run.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "compiler/base/parallel.h"
#include "compiler/engine/reporter.h"

namespace gpulint {

std::vector<Diagnostic> run_rules(const Corpus& corpus, std::span<const RegisteredRule> rules,
                                  const Selection& selection, unsigned jobs) {
  const bool asks_for_rest = std::ranges::any_of(rules, [&](const RegisteredRule& registered) {
    return registered.rule->check_rest != nullptr && selection.enabled(registered.rule->info);
  });
  std::vector<std::vector<Diagnostic>> found(rules.size());
  const unsigned threads = jobs_for(corpus.documents.size(), jobs);
  parallel_for(rules.size(), threads, [&](std::size_t i) {
    const Rule& rule = *rules[i].rule;
    // What is left to the last is the same whatever is selected.
    if (rule.check == nullptr || (!asks_for_rest && !selection.enabled(rule.info))) return;
    Reporter reporter(rule.info);
    rule.check(corpus, reporter);
    found[i] = reporter.take();
  });
  std::vector<Diagnostic> all;
  for (auto& some : found) std::ranges::move(some, std::back_inserter(all));
  std::vector<Diagnostic> rest;
  for (const RegisteredRule& registered : rules) {
    const Rule& rule = *registered.rule;
    if (rule.check_rest == nullptr || !selection.enabled(rule.info)) continue;
    Reporter reporter(rule.info);
    rule.check_rest(corpus, all, reporter);
    std::ranges::move(reporter.take(), std::back_inserter(rest));
  }
  std::ranges::move(rest, std::back_inserter(all));
  std::erase_if(all, [&](const Diagnostic& finding) { return !selection.enabled(*finding.rule); });
  for (Diagnostic& finding : all) {
    finding.severity = selection.severity(*finding.rule, finding.severity);
  }
  return all;
}

RuleCounts count_by_rule(std::span<const Diagnostic> findings, Severity least) {
  RuleCounts counts;
  for (const Diagnostic& finding : findings) {
    if (finding.severity >= least) ++counts[finding.rule->id];
  }
  return counts;
}

}  // namespace gpulint
