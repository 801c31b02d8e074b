#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "compiler/api_validation/api_review.h"
#include "compiler/edit/edits.h"
#include "rules/support/api_problems.h"
#include "rules/support/kubernetes_words.h"
#include "rules/support/partitions.h"
#include "rules/support/queries.h"

namespace gpulint::rules::invalid_toleration {
namespace {

/// Problems that need only the place and one sentence.
struct Plain {
  ApiIssue issue;
  std::string_view says;  ///< After the text at that place.
  std::string_view missing;
  std::string_view help;
};
constexpr std::string_view key_help = "use a qualified name such as `nvidia.com/gpu` as the key";
constexpr std::string_view value_help =
    "use at most 63 characters: letters, digits, `-`, `_` and `.`";
constexpr std::array plain_problems = {
    Plain{ApiIssue::taint_key, "is not a valid taint key", "this taint has no key", key_help},
    Plain{ApiIssue::toleration_key, "is not a valid taint key", "", key_help},
    Plain{ApiIssue::taint_value, "is not a valid taint value", "", value_help},
    Plain{ApiIssue::toleration_value, "is not a valid taint value", "", value_help},
    Plain{ApiIssue::toleration_key_missing, "",
          "this toleration has no key, but only `operator: Exists` works without a key",
          "add the key of the taint, or write `operator: Exists` to tolerate every taint"},
    Plain{ApiIssue::toleration_repeated, "",
          "this toleration repeats an earlier toleration in the list",
          "remove this toleration, or the earlier toleration"}};

void report_plain(Reporter& reporter, Node at, const Plain& plain) {
  if (is_unusable_partition_value(at.text())) return;  // invalid-partition-label-value
  Finding finding = at.is_scalar() ? reporter.report(at, "`{}` {}", at.text(), plain.says)
                                   : reporter.report(at, "{}", plain.missing);
  if (!plain.help.empty()) finding.help("{}", plain.help);
}

/// ``NodePool `gpu` ``, the object with this list; "this list" if it has no name.
[[nodiscard]] std::string describe_owner(Node list) {
  Node object = list;
  while (object && !object.get("kind")) object = object.parent();
  const Node name = object.at("metadata", "name");
  return name.is_scalar() ? fmt::format("{} `{}`", object.get("kind").text(), name.text())
                          : std::string("this list");
}

void report_repeated_taint(Reporter& reporter, Node taint) {
  reporter
      .report(taint, "{} has more than one taint with the key `{}` and the effect `{}`",
              describe_owner(taint.parent()), taint.get("key").text(), taint.get("effect").text())
      .help(
          "remove this taint, or the earlier taint. Otherwise Kubernetes rejects the taints, "
          "because each pair of key and effect must be unique");
}

void offer_removal(const Corpus& corpus, Finding& finding, Node value) {
  finding.fix(Safety::safe, fmt::format("remove `{}`", value.key().text()),
              remove_entry(*corpus.sources, value));
}

void check_problem(const Corpus& corpus, Reporter& reporter, const ApiProblem& problem) {
  const Node at = problem.node;
  const auto plain = std::ranges::find(plain_problems, problem.issue, &Plain::issue);
  if (plain != plain_problems.end()) return report_plain(reporter, at, *plain);
  switch (problem.issue) {
    case ApiIssue::toleration_operator:
      report_word(corpus, reporter, at, toleration_operators);
      return;
    case ApiIssue::toleration_comparison:
      reporter.report(at, "operator `{}` is valid only with an alpha feature gate", at.text())
          .help(
              "use `Equal` or `Exists`. Or enable the feature gate "
              "`TaintTolerationComparisonOperators`");
      return;
    case ApiIssue::taint_repeated:
      return report_repeated_taint(reporter, at);
    case ApiIssue::taint_effect:
      report_word(corpus, reporter, at, taint_effects);
      return;
    case ApiIssue::toleration_exists_value: {
      Finding finding =
          reporter.report(at, "operator `Exists` does not allow the value `{}`", at.text());
      finding.related(at.parent().get("operator"), "`Exists` matches any value")
          .help("remove the value, or write `operator: Equal` to match only this value");
      return offer_removal(corpus, finding, at);
    }
    case ApiIssue::toleration_seconds: {
      Finding finding =
          reporter.report_key(at, "`tolerationSeconds` requires the effect `NoExecute`");
      finding.related(at.parent().get("effect"), "this toleration has another effect")
          .help(
              "remove `tolerationSeconds`, or set `effect: NoExecute`. Otherwise Kubernetes "
              "rejects the toleration, because only `NoExecute` evicts running pods");
      return offer_removal(corpus, finding, at);
    }
    case ApiIssue::wrong_type:
      if (!at.is_scalar() || wanted_type(problem) != "string") return;
      reporter
          .report(at, "`{}` must be a string, but YAML reads `{}` as a {}", last_field(problem),
                  at.text(), read_type(at))
          .fix(Safety::safe, "quote the value", quote(*corpus.sources, at));
      return;
    default:
      return;
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const ApiFinding& finding : corpus.api->findings()) {
    // non-string-value reports wrong types in taints.
    const bool is_taint =
        finding.problem.issue != ApiIssue::wrong_type && leads_through(finding.problem, "taints");
    if (!is_taint && !leads_through(finding.problem, "tolerations")) continue;
    check_problem(corpus, reporter, finding.problem);
  }
  for (const ApiProblem& problem : find_flyte_problems(corpus)) {
    if (leads_through(problem, "tolerations")) check_problem(corpus, reporter, problem);
  }
  for (const ApiProblem& problem : find_pool_problems(corpus)) {
    check_problem(corpus, reporter, problem);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::invalid_toleration
