#include "compiler/engine/rule.h"

#include <optional>
#include <span>
#include <string_view>
#include <utility>
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

/// The mapping of the toleration that the problem lies in.
[[nodiscard]] Node toleration_of(Node node) { return node.is_mapping() ? node : node.parent(); }

/// A word that the API does not take there; a mapping where it is missing.
void report_word(const Corpus& corpus, Reporter& reporter, Node at, std::string_view what,
                 std::span<const std::string_view> known) {
  Finding finding = at.is_scalar() ? reporter.report(at, "`{}` is no {}", at.text(), what)
                                   : reporter.report(at, "the {} is missing", what);
  finding.help("it takes {}", fmt::join(known, ", "));
  const auto suggestion = at.is_scalar() ? nearest(at.text(), known) : std::nullopt;
  if (!suggestion) return;
  finding.fix(Safety::safe, fmt::format("write `{}`", *suggestion),
              replace_string(*corpus.sources, at, *suggestion));
}

void offer_removal(const Corpus& corpus, Finding& finding, Node toleration, std::string_view key) {
  const Node value = toleration.get(key);
  if (!value) return;
  finding.fix(Safety::safe, fmt::format("remove `{}`", key), remove_entry(*corpus.sources, value));
}

void check_problem(const Corpus& corpus, Reporter& reporter, const ApiProblem& problem) {
  const Node at = problem.node;
  const Node toleration = toleration_of(at);
  switch (problem.issue) {
    case ApiIssue::toleration_operator:
    case ApiIssue::toleration_comparison:
      return report_word(corpus, reporter, at, "toleration operator", toleration_operators);
    case ApiIssue::taint_effect:
      return report_word(corpus, reporter, at, "taint effect", taint_effects);
    case ApiIssue::toleration_exists_value: {
      const Node value = toleration.get("value");
      Finding finding =
          reporter.report(value, "operator `Exists` with the value `{}`", value.text());
      finding.related(toleration.get("operator"), "matches any value, so none may be given")
          .help("remove the value, or write `operator: Equal` to match only this value");
      return offer_removal(corpus, finding, toleration, "value");
    }
    case ApiIssue::toleration_seconds: {
      const Node seconds = toleration.get("tolerationSeconds");
      Finding finding =
          reporter.report_key(seconds, "`tolerationSeconds` without the effect `NoExecute`");
      finding.related(toleration.get("effect"), "the effect")
          .help("only `NoExecute` evicts running pods, so only there a time makes sense");
      return offer_removal(corpus, finding, toleration, "tolerationSeconds");
    }
    case ApiIssue::toleration_key_missing:
      reporter.report(toleration, "a toleration without a key needs the operator `Exists`")
          .help("name the taint's key; `operator: Exists` alone tolerates every taint");
      return;
    case ApiIssue::taint_key:
    case ApiIssue::toleration_key:
      reporter.report(at, "`{}` is no valid taint key", at.text())
          .help("a taint's key is a qualified name such as `nvidia.com/gpu`");
      return;
    case ApiIssue::taint_value:
    case ApiIssue::toleration_value:
      if (is_unusable_partition_value(at.text())) return;  // invalid-partition-label-value
      reporter.report(at, "`{}` is no valid taint value", at.text())
          .help("a taint's value is like a label's: up to 63 letters, digits, `-`, `_`, `.`");
      return;
    case ApiIssue::taint_repeated:
    case ApiIssue::toleration_repeated:
      reporter.report(at, "the same stands before; of a taint, key and effect count");
      return;
    case ApiIssue::wrong_type:
      if (!at.is_scalar() || at.key().text() == "tolerationSeconds") return;
      reporter
          .report(at, "YAML reads `{}` as a {}, and the API takes a string", at.text(),
                  read_type(at))
          .fix(Safety::safe, "quote it", quote(*corpus.sources, at));
      return;
    default:
      return;
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const ApiFinding& finding : corpus.api->findings) {
    // Of wrong types among taints non-string-value speaks.
    const bool is_taint =
        finding.problem.issue != ApiIssue::wrong_type && leads_through(finding.problem, "taints");
    if (!is_taint && !leads_through(finding.problem, "tolerations")) continue;
    check_problem(corpus, reporter, finding.problem);
  }
}

}  // namespace

extern constinit const Rule invalid_toleration;
constinit const Rule invalid_toleration{
    .info = {.id = "invalid-toleration",
             .category = "placement",
             .summary = "A toleration or taint that the API server refuses, with the whole object.",
             .severity = Severity::error,
             .fix = FixAvailability::safe},
    .check = check};

}  // namespace gpulint::rules
