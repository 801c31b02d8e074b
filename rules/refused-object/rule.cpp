#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "compiler/api_validation/api_review.h"
#include "rules/support/queries.h"

namespace gpulint::rules::refused_object {
namespace {

/// Names of objects, references and unknown fields are left out: an operator's asset or an example
/// has placeholders there. So are claims, whose fields differ from release to release (dra-claim).
constexpr auto judged = std::to_array<ApiIssue>({ApiIssue::bad_quantity,
                                                 ApiIssue::toleration_key,
                                                 ApiIssue::toleration_operator,
                                                 ApiIssue::toleration_value,
                                                 ApiIssue::toleration_seconds,
                                                 ApiIssue::taint_effect,
                                                 ApiIssue::taint_key,
                                                 ApiIssue::taint_value,
                                                 ApiIssue::selector_operator,
                                                 ApiIssue::selector_single_value,
                                                 ApiIssue::selector_key,
                                                 ApiIssue::selector_value,
                                                 ApiIssue::field_selector,
                                                 ApiIssue::preference_weight,
                                                 ApiIssue::resource_name,
                                                 ApiIssue::resource_negative,
                                                 ApiIssue::resource_fraction,
                                                 ApiIssue::resource_hugepages,
                                                 ApiIssue::resource_unlike_limit,
                                                 ApiIssue::resource_above_limit,
                                                 ApiIssue::quota_name,
                                                 ApiIssue::topology_key,
                                                 ApiIssue::topology_spread,
                                                 ApiIssue::container_name,
                                                 ApiIssue::container_image,
                                                 ApiIssue::enumeration,
                                                 ApiIssue::restart_policy,
                                                 ApiIssue::init_container_field,
                                                 ApiIssue::number_range});

/// Labels by which nodes are selected: those of a Node, and what a RuntimeClass selects.
[[nodiscard]] bool is_node_label(const ApiProblem& problem) {
  const bool is_label =
      problem.issue == ApiIssue::label_key || problem.issue == ApiIssue::label_value;
  if (!is_label) return false;
  if (problem.path == "scheduling.nodeSelector") return true;
  const Node labels = problem.node.parent();
  const Node object = labels.parent().parent();
  return problem.path == "metadata.labels" && object.get("kind").text() == "Node";
}

/// A workload of the group `apps` needs a selector, and labels of its template that match it. What
/// lacks the labels, too, is a patch (kustomize/apply.h).
[[nodiscard]] bool is_about_selector(const ApiProblem& problem) {
  return problem.issue == ApiIssue::workload_selector || problem.issue == ApiIssue::template_labels;
}

[[nodiscard]] bool is_judged(const ApiProblem& problem) {
  if (is_node_label(problem) || is_about_selector(problem)) return true;
  const bool is_missing = problem.type == ApiErrorType::required;
  return (!is_missing || problem.issue == ApiIssue::restart_policy) &&
         std::ranges::find(judged, problem.issue) != judged.end();
}

/// The server's words without the examples and patterns behind them, as many as a line takes.
[[nodiscard]] std::string short_detail(const ApiProblem& problem) {
  constexpr std::size_t of_line = 160;  // of 200, some are before the path
  const auto words = std::string_view(problem.detail).substr(0, problem.detail.find(" (e.g. "));
  const std::size_t most = of_line - std::min(problem.path.size(), of_line / 2);
  if (words.size() <= most) return std::string(words);
  return fmt::format("{} …", words.substr(0, words.rfind(' ', most)));
}

/// What a finding about the problem would point at.
[[nodiscard]] Span place_of(Node node) { return node.key() ? node.key_span() : node.span(); }

/// The entry or list item that the problem lies in; of an amount the limits and requests, of which
/// one is told for both.
[[nodiscard]] Node surroundings(Node node) {
  if (!node.is_scalar() || !node.parent()) return node;
  const std::string_view name = node.parent().key().text();
  return name == "limits" || name == "requests" ? node.parent().parent() : node.parent();
}

/// Whether a finding stands there, or around it.
[[nodiscard]] bool is_told(Node node, std::span<const Diagnostic> found) {
  const Node around = surroundings(node);
  const auto is_there = [&](Span span) {
    if (is_of_whole_document(span, node)) return false;
    // Of what kustomize puts together, what is around may be written in another file.
    return span.overlaps(around.span()) || span.overlaps(place_of(node)) ||
           span.overlaps(node.span());
  };
  return std::ranges::any_of(found, [&](const Diagnostic& finding) {
    return is_there(finding.span) || std::ranges::any_of(finding.related, is_there, &Label::span);
  });
}

void check_after(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter) {
  std::set<std::pair<const Document*, NodeIndex>> told;
  std::set<std::tuple<const Document*, NodeIndex, std::string_view, std::string_view>> amounts;
  const Workload* without_selector = nullptr;
  for (const ApiFinding& finding : corpus.api->findings()) {
    const ApiProblem& problem = finding.problem;
    const bool is_selector_missing =
        problem.issue == ApiIssue::workload_selector && problem.type == ApiErrorType::required;
    if (is_selector_missing) without_selector = finding.workload;
    // Its labels match no selector either: one finding.
    const bool is_same = finding.workload != nullptr && finding.workload == without_selector;
    if (problem.issue == ApiIssue::template_labels && is_same) continue;
    if (!is_judged(problem) || !problem.node || is_told(problem.node, found)) continue;
    if (!told.emplace(problem.node.document(), problem.node.index()).second) continue;
    // Limits and requests are often written alike.
    const Node around = surroundings(problem.node);
    if (problem.issue == ApiIssue::resource_hugepages &&
        !amounts
             .emplace(around.document(), around.index(), problem.node.key().text(), problem.detail)
             .second) {
      continue;
    }
    Finding made = reporter.report_span(place_of(problem.node), problem.node,
                                        "the API server refuses this: {}: {}", problem.path,
                                        short_detail(problem));
    // A patch outside of the inputs may add it.
    const bool is_missing = problem.type == ApiErrorType::required && !problem.node.is_scalar();
    if (is_missing && problem.issue == ApiIssue::restart_policy) made.at_most(Severity::warning);
    if (is_selector_missing) {
      made.help("add `spec.selector.matchLabels` with labels of the pod template");
    } else {
      made.help("nothing of the object is created until this is mended");
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources"}, .check_after = check_after};

}  // namespace gpulint::rules::refused_object
