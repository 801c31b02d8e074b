#include "compiler/engine/rule.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/engine/reporter.h"
#include "compiler/schedule/api/api_review.h"
#include "rules/support/api_problems.h"
#include "rules/support/edits.h"
#include "rules/support/kubernetes_words.h"
#include "rules/support/partitions.h"
#include "rules/support/queries.h"

namespace gpulint::rules {
namespace {

void report_operator(const Corpus& corpus, Reporter& reporter, Node at) {
  Finding finding = reporter.report(at, "`{}` is no node selector operator", at.text());
  finding.help("it takes {}", fmt::join(selector_operators, ", "));
  const std::string_view meant = meant_operator(at.text());
  if (meant.empty()) return;
  finding.fix(Safety::safe, fmt::format("write `{}`", meant),
              replace_string(*corpus.sources, at, meant));
}

/// `value: x` where `values: [x]` is due.
void report_missing_values(const Corpus& corpus, Reporter& reporter, Node requirement) {
  const Node value = requirement.get("value");
  const Node op = requirement.get("operator");
  if (!value) {
    reporter.report(op ? op : requirement, "operator `{}` without `values`", op.text())
        .help("list the values of the label that the node may have");
    return;
  }
  Finding finding = reporter.report_key(value, "`value` stands where `values` is due");
  finding.help("a requirement takes a list of values");
  if (!value.is_scalar() || value.style() == Style::literal) return;
  std::vector<Edit> edits = rename_key(*corpus.sources, value, "values");
  std::vector<Edit> list =
      replace_raw(*corpus.sources, value, fmt::format("[{}]", corpus.sources->text(value.span())));
  if (edits.empty() || list.empty()) return;
  edits.push_back(list.front());
  finding.fix(Safety::safe, "write `values` with a list", std::move(edits));
}

void check_problem(const Corpus& corpus, Reporter& reporter, const ApiProblem& problem) {
  const Node at = problem.node;
  const Node requirement = at.is_mapping() ? at : at.parent();
  switch (problem.issue) {
    case ApiIssue::selector_operator:
      if (at.is_scalar()) report_operator(corpus, reporter, at);
      return;
    case ApiIssue::selector_values_missing:
      return report_missing_values(corpus, reporter, requirement);
    case ApiIssue::selector_values_unwanted: {
      const Node values = requirement.get("values");
      reporter.report_key(values, "operator `{}` with values", requirement.get("operator").text())
          .related(requirement.get("operator"), "asks for the key only")
          .fix(Safety::safe, "remove `values`", remove_entry(*corpus.sources, values));
      return;
    }
    case ApiIssue::selector_single_value:
      reporter.report(at, "operators `Gt` and `Lt` take exactly one value");
      return;
    case ApiIssue::label_key:
    case ApiIssue::selector_key:
      reporter.report(at, "`{}` is no valid label key", at.text())
          .help("a label key is a qualified name such as `nvidia.com/gpu.product`");
      return;
    case ApiIssue::label_value:
    case ApiIssue::selector_value:
      if (is_unusable_partition_value(at.text())) return;  // invalid-partition-label-value
      reporter.report(at, "`{}` is no valid label value, so no node can carry it", at.text())
          .help("up to 63 letters, digits, `-`, `_`, `.`; feature discovery writes `-` for blanks");
      return;
    case ApiIssue::selector_terms_missing:
      reporter.report(at, "`nodeSelectorTerms` is empty, which the API server refuses")
          .help("give at least one term, or remove the requirement");
      return;
    case ApiIssue::field_selector:
      reporter.report(at, "`{}` is no field requirement", at.text())
          .help("`matchFields` takes `metadata.name` with one node's name");
      return;
    case ApiIssue::preference_weight:
      reporter.report(at, "weight `{}` of a preference is not between 1 and 100", at.text());
      return;
    default:
      return;
  }
}

[[nodiscard]] bool selects_nodes(const ApiProblem& problem) {
  return leads_through(problem, "nodeAffinity") || leads_through(problem, "nodeSelector");
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const ApiFinding& finding : corpus.api->findings) {
    if (selects_nodes(finding.problem)) check_problem(corpus, reporter, finding.problem);
  }
}

}  // namespace

extern constinit const Rule invalid_node_selector_requirement;
constinit const Rule invalid_node_selector_requirement{
    .info = {.id = "invalid-node-selector-requirement",
             .category = "placement",
             .summary = "A node selector requirement that the API server refuses or that can match "
                        "nothing.",
             .severity = Severity::error,
             .fix = FixAvailability::safe},
    .check = check};

}  // namespace gpulint::rules
