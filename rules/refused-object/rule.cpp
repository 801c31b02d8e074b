#include "compiler/engine/rule.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "compiler/engine/reporter.h"
#include "compiler/schedule/api/api_review.h"

namespace gpulint::rules {
namespace {

/// Fields that only strict validation refuses: `kubectl apply` warns of them, the server drops them
/// and keeps the object. Claims, whose fields differ from release to release (dra-claim). And what is
/// missing: a patch or an example has less than the object that becomes of it, labels most of all.
[[nodiscard]] bool is_open(const ApiProblem& problem) {
  return problem.issue == ApiIssue::unknown_field || problem.issue == ApiIssue::duplicate_field ||
         problem.issue == ApiIssue::unknown_kind || problem.issue == ApiIssue::resource_claim ||
         problem.type == ApiErrorType::required ||
         problem.issue == ApiIssue::template_labels;
}

/// The server's words without the examples and patterns behind them.
[[nodiscard]] std::string_view short_detail(const ApiProblem& problem) {
  return std::string_view(problem.detail).substr(0, problem.detail.find(" (e.g. "));
}

/// What a finding about the problem would point at.
[[nodiscard]] Span place_of(Node node) { return node.key() ? node.key_span() : node.span(); }

[[nodiscard]] bool overlaps(Span a, Span b) {
  return a.file == b.file && a.begin < b.end && b.begin < a.end;
}

/// Whether a finding stands in the entry or list item that the problem lies in, or around it.
[[nodiscard]] bool is_told(Node node, std::span<const Diagnostic> found) {
  const Node around = node.is_scalar() && node.parent() ? node.parent() : node;
  const auto is_there = [&](Span span) {
    return overlaps(span, around.span()) || overlaps(span, place_of(node));
  };
  return std::ranges::any_of(found, [&](const Diagnostic& finding) {
    return is_there(finding.span) || std::ranges::any_of(finding.related, is_there, &Label::span);
  });
}

void check_rest(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter) {
  std::set<std::pair<const Document*, NodeIndex>> told;
  for (const ApiFinding& finding : corpus.api->findings()) {
    const ApiProblem& problem = finding.problem;
    if (is_open(problem) || !problem.node || is_told(problem.node, found)) continue;
    if (!told.emplace(problem.node.document(), problem.node.index()).second) continue;
    reporter
        .report_span(place_of(problem.node), problem.node, "the API server refuses this: {}: {:.120}",
                     problem.path, short_detail(problem))
        .help("nothing of the object is created until this is mended");
  }
}

}  // namespace

extern constinit const Rule refused_object;
constinit const Rule refused_object{
    .info = {.id = "refused-object",
             .category = "resources",
             .summary = "The API server refuses an object that concerns GPUs.",
             .severity = Severity::error},
    .check = nullptr,
    .check_rest = check_rest};

}  // namespace gpulint::rules
