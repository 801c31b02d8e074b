#include "compiler/engine/run.h"

#include <iterator>
#include <utility>

#include "compiler/engine/reporter.h"

namespace gpulint {

std::vector<Diagnostic> run_rules(const Corpus& corpus, std::span<const RegisteredRule> rules,
                                  const Selection& selection) {
  std::vector<Diagnostic> findings;
  for (const RegisteredRule& registered : rules) {
    const Rule& rule = *registered.rule;
    if (rule.check == nullptr || !selection.enabled(rule.info)) continue;
    Reporter reporter(rule.info);
    rule.check(corpus, reporter);
    for (Diagnostic& finding : reporter.take()) {
      finding.severity = selection.severity(rule.info, finding.severity);
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

}  // namespace gpulint
