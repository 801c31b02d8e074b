#include "compiler/engine/rule.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/engine/reporter.h"
#include "rules/misspelt-reference/find_references.h"
#include "rules/misspelt-reference/misnamed_classes.h"
#include "rules/support/causes.h"
#include "rules/support/slips.h"

namespace gpulint::rules::misspelt_reference {
namespace {

/// The only target that the name is a slip of; null where none is, or several are.
[[nodiscard]] const Value<std::string>* find_meant(const Reference& reference) {
  const Value<std::string>* meant = nullptr;
  for (const Value<std::string>& target : reference.targets) {
    if (!is_slip_of(reference.name.value, target.value)) continue;
    if (meant != nullptr && meant->value != target.value) return nullptr;
    meant = &target;
  }
  return meant;
}

[[nodiscard]] std::string list_targets(const Reference& reference) {
  std::vector<std::string> names;
  for (const Value<std::string>& target : reference.targets) names.push_back(target.value);
  return list(names);
}

void report(const Corpus& corpus, Reporter& reporter, const Reference& reference) {
  const std::string& name = reference.name.value;
  const Value<std::string>* const meant = find_meant(reference);
  const bool is_complete = reference.certainty == Certainty::complete;
  if (meant == nullptr && reference.certainty == Certainty::none) return;
  const std::string there =
      meant == nullptr ? list_targets(reference) : fmt::format("`{}`", meant->value);
  Finding finding = reporter.report(reference.name.node, "no {} `{}` is known; there is {}",
                                    reference.kind, name, there);
  const Node place = meant == nullptr ? reference.targets.front().node : meant->node;
  finding.related(place, fmt::format("the {} that is there", reference.kind))
      .help("{}", reference.effect);
  if (meant == nullptr && !is_complete) finding.severity(Severity::warning);
  if (meant == nullptr || reference.name.node.text() != name) return;
  finding.fix(is_complete ? Safety::safe : Safety::unsafe, fmt::format("write `{}`", meant->value),
              replace_string(*corpus.sources, reference.name.node, meant->value));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Reference& reference : find_references(corpus)) report(corpus, reporter, reference);
  check_misnamed_classes(corpus, reporter);
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "misspelt-reference",
             .category = "operators",
             .summary = "A reference is one letter off the object that exists among the inputs.",
             .severity = Severity::error,
             .fix = FixAvailability::safe},
    .check = check};

}  // namespace gpulint::rules::misspelt_reference
