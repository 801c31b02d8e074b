#include "compiler/engine/rule.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "compiler/api_validation/api_review.h"
#include "compiler/edit/edits.h"
#include "rules/support/api_problems.h"
#include "rules/support/kubernetes_words.h"
#include "rules/support/partitions.h"

namespace gpulint::rules::invalid_node_selector_requirement {
namespace {

/// Problems that need only the place and one sentence.
struct Plain {
  ApiIssue issue;
  std::string_view says;  ///< After the text at that place.
  std::string_view help;
};
constexpr std::string_view key_help =
    "use a qualified name such as `nvidia.com/gpu.product` as the label key";
constexpr std::string_view value_help =
    "use at most 63 letters, digits, `-`, `_`, and `.`. Otherwise no node can have this value. GPU "
    "Feature Discovery replaces spaces with `-`";
constexpr std::string_view no_value = "is not a valid label value";
constexpr Plain plain_problems[] = {
    {ApiIssue::label_key, "is not a valid label key", key_help},
    {ApiIssue::selector_key, "is not a valid label key", key_help},
    {ApiIssue::label_value, no_value, value_help},
    {ApiIssue::selector_value, no_value, value_help},
    {ApiIssue::field_selector, "is not a valid requirement in `matchFields`",
     "use `metadata.name` with the name of one node, because `matchFields` accepts only this "
     "field"},
    {ApiIssue::preference_weight, "is not a valid weight for a preference",
     "use a weight between 1 and 100"}};

void report_plain(Reporter& reporter, Node at, const Plain& plain) {
  if (is_unusable_partition_value(at.text())) return;  // invalid-partition-label-value
  if (plain.issue == ApiIssue::selector_key && at.is_mapping()) {
    reporter.report(at, "this requirement has no label key")
        .help("add `key` with a label key, for example `nvidia.com/gpu.product`");
    return;
  }
  reporter
      .report(at, "{} {}", at.is_scalar() ? fmt::format("`{}`", at.text()) : "this entry",
              plain.says)
      .help("{}", plain.help);
}

/// `value: x` instead of `values: [x]`.
void report_missing_values(const Corpus& corpus, Reporter& reporter, Node requirement) {
  const Node value = requirement.get("value");
  const Node op = requirement.get("operator");
  if (!value) {
    reporter
        .report(op ? op : requirement, "operator `{}` requires at least one entry in `values`",
                op.text())
        .help("add `values` with the label values that a node may have");
    return;
  }
  Finding finding = reporter.report_key(value, "`value` is used instead of `values`");
  finding.help("use `values` with a list. Otherwise the API server rejects the object");
  if (!value.is_scalar()) return;
  finding.fix(Safety::safe, "rename `value` to `values`, and write a list",
              rename_to_list(*corpus.sources, value, "values"));
}

void check_problem(const Corpus& corpus, Reporter& reporter, const ApiProblem& problem) {
  const Node at = problem.node;
  const auto* const plain = std::ranges::find(plain_problems, problem.issue, &Plain::issue);
  if (plain != std::end(plain_problems)) return report_plain(reporter, at, *plain);
  switch (problem.issue) {
    case ApiIssue::selector_operator:
      report_word(corpus, reporter, at, selector_operators);
      return;
    case ApiIssue::selector_values_missing:
      return report_missing_values(corpus, reporter, at.is_mapping() ? at : at.parent());
    case ApiIssue::selector_values_unwanted: {
      const Node op = at.parent().get("operator");
      Finding finding = reporter.report_key(
          at, "`values` is set, but `Exists` and `DoesNotExist` accept no values");
      if (!op) return;  // an alias leads to where they are defined
      finding.related(op, "this operator accepts no values")
          .fix(Safety::safe, "remove `values`", remove_entry(*corpus.sources, at));
      return;
    }
    case ApiIssue::selector_single_value:
      reporter.report(at, "operators `Gt` and `Lt` require exactly one value");
      return;
    case ApiIssue::selector_terms_missing:
      reporter
          .report(at,
                  "`nodeSelectorTerms` is empty, but a required node affinity needs at least one "
                  "term")
          .help(
              "add a term, or remove the required node affinity. Otherwise the API server rejects "
              "the object");
      return;
    default:
      return;
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  const auto take = [&](const ApiProblem& problem) {
    if (leads_through(problem, "nodeAffinity") || leads_through(problem, "nodeSelector")) {
      check_problem(corpus, reporter, problem);
    }
  };
  for (const ApiFinding& finding : corpus.api->findings()) take(finding.problem);
  for (const ApiProblem& problem : find_flyte_problems(corpus)) take(problem);
  for (const SelectorRequirement* one : find_unordered(corpus)) {
    const bool is_memory = one->key.equals("nvidia.com/gpu.memory");
    reporter
        .report(one->values.front().node(), "operator `{}` requires a whole number, not `{}`",
                one->op.value(), one->values.front().value())
        .help("write a whole number{} without a unit. Otherwise no node matches",
              is_memory ? " of MiB" : "");
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::invalid_node_selector_requirement
