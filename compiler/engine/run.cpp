#include "compiler/engine/run.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "compiler/base/parallel.h"
#include "compiler/engine/reporter.h"

namespace gpulint {

std::vector<Diagnostic> run_rules(const Corpus& corpus, std::span<const RegisteredRule> rules,
                                  const Selection& selection, unsigned jobs) {
  std::vector<std::vector<Diagnostic>> found(rules.size());
  const unsigned threads = jobs_for(corpus.documents.size(), jobs);
  parallel_for(rules.size(), threads, [&](std::size_t i) {
    const Rule& rule = *rules[i].rule;
    if (rule.check == nullptr || !selection.enabled(rule.info)) return;
    Reporter reporter(rule.info);
    rule.check(corpus, reporter);
    found[i] = reporter.take();
    for (Diagnostic& finding : found[i]) {
      finding.severity = selection.severity(rule.info, finding.severity);
    }
  });
  std::vector<Diagnostic> findings;
  for (auto& some : found) std::ranges::move(some, std::back_inserter(findings));
  return findings;
}

RuleCounts count_by_rule(std::span<const Diagnostic> findings, Severity least) {
  RuleCounts counts;
  for (const Diagnostic& finding : findings) {
    if (finding.severity >= least) ++counts[finding.rule->id];
  }
  return counts;
}

}  // namespace gpulint
