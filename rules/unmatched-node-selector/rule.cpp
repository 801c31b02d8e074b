#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"
#include "rules/support/causes.h"
#include "rules/support/flyte_labels.h"
#include "rules/unmatched-node-selector/project_selectors.h"
#include "rules/unmatched-node-selector/stray_label.h"

namespace gpulint::rules::unmatched_node_selector {
namespace {

using Half = UnmatchedRequirement::Half;

[[nodiscard]] Finding report(const Cause& cause, const UnmatchedRequirement& unmatched,
                             Reporter& reporter) {
  const std::string workload = describe(cause);
  if (is_of_other_gpu(cause)) {
    return reporter.report_span(cause.where, cause.blame,
                                "no known node has the GPU `{}` that {} requires",
                                unmatched.wanted.front(), workload);
  }
  switch (unmatched.half) {
    case Half::key:
      return reporter.report_span(cause.where, cause.blame,
                                  "no known node carries the label `{}` that {} requires",
                                  unmatched.key, workload);
    case Half::value:
      return reporter.report_span(cause.where, cause.blame,
                                  "no known node satisfies `{}`, which {} requires",
                                  requirement_text(unmatched), workload);
    case Half::presence:
      break;
  }
  return reporter.report_span(cause.where, cause.blame,
                              "every known GPU node is ruled out by `{}` of {}",
                              requirement_text(unmatched), workload);
}

/// The values of a Karpenter pool's requirement, which is what one changes; other places as they
/// are.
[[nodiscard]] Node shown_place(Node other) {
  const std::vector<Node> values = other.get("values").items();
  return values.empty() ? other : values.front();
}

[[nodiscard]] bool is_told_elsewhere(const Corpus& corpus, const Cause& cause) {
  const auto& unmatched = std::get<UnmatchedRequirement>(cause.what);
  const std::string_view written = unmatched.key_node.text();
  // Of a key that Flyte's loader changed lowercased-label-key speaks.
  const bool is_lowered = written != unmatched.key && equal_fold(written, unmatched.key);
  // What an operator selects by itself stands nowhere: feature discovery labels the nodes.
  const bool is_unwritten = written == "spec";
  return is_lowered || is_unwritten || is_matter_of_flyte_labels(corpus, cause);
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_project_selectors(corpus, reporter);
  for (const Cause* each : causes_of<UnmatchedRequirement>(corpus)) {
    const Cause& cause = *each;
    if (is_told_elsewhere(corpus, cause)) continue;
    Finding finding = report(cause, std::get<UnmatchedRequirement>(cause.what), reporter);
    if (advise_stray_label(corpus, cause, finding) || advise_other_gpu(corpus, cause, finding)) {
      relate_workloads(finding, cause);
      continue;
    }
    const std::string pool = describe(*cause.pool);
    finding.related(
        cause.other ? shown_place(cause.other) : name_node(*cause.pool),
        cause.other ? "what " + pool + " carries" : pool + " would offer what is requested");
    advise(corpus, cause, finding);
    relate_workloads(finding, cause);
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "placement", .fix = FixAvailability::unsafe, .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules::unmatched_node_selector
