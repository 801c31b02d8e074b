#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/engine/reporter.h"
#include "rules/support/causes.h"
#include "rules/support/edits.h"
#include "rules/support/flyte_labels.h"

namespace gpulint::rules {
namespace {

using Half = UnmatchedRequirement::Half;

[[nodiscard]] Finding report(const Cause& cause, const UnmatchedRequirement& unmatched,
                             Reporter& reporter) {
  const std::string workloads = describe_workloads(cause);
  switch (unmatched.half) {
    case Half::key:
      return reporter.report_span(cause.where, cause.blame,
                                  "no known node carries the label `{}` that {} requires",
                                  unmatched.key, workloads);
    case Half::value:
      return reporter.report_span(cause.where, cause.blame,
                                  "no known node satisfies `{}`, which {} requires",
                                  requirement_text(unmatched), workloads);
    case Half::presence:
      break;
  }
  return reporter.report_span(cause.where, cause.blame,
                              "every known GPU node is ruled out by `{}` of {}",
                              requirement_text(unmatched), workloads);
}

/// A label that nodes carry: `key=value`, or the key alone.
struct Meant {
  const std::string& key;
  const std::string& value;
  [[nodiscard]] std::string text() const {
    return value.empty() ? key : fmt::format("{}={}", key, value);
  }
};

/// Renames what is written where that is what was compiled, in place.
[[nodiscard]] std::vector<Edit> correct(const SourceSet& sources,
                                        const UnmatchedRequirement& unmatched, const Meant& meant) {
  std::vector<Edit> edits;
  const auto replace = [&](Node written, const std::string& is, const std::string& due) {
    if (is == due) return true;
    if (!written || written.text() != is) return false;
    std::vector<Edit> edit = replace_string(sources, written, due);
    edits.insert(edits.end(), edit.begin(), edit.end());
    return !edit.empty();
  };
  if (!replace(unmatched.key_node, unmatched.key, meant.key)) return {};
  const bool has_value = !unmatched.wanted.empty();
  if (has_value && !replace(unmatched.value_node, unmatched.wanted.front(), meant.value)) return {};
  std::ranges::sort(edits);
  return edits;
}

void advise(const Corpus& corpus, const Cause& cause, const UnmatchedRequirement& unmatched,
            Finding& finding) {
  const auto offer = [&](const Meant& meant) {
    finding.fix(Safety::unsafe, fmt::format("require `{}`", meant.text()),
                correct(*corpus.sources, unmatched, meant));
  };
  if (!unmatched.suggested_key.empty()) {
    const Meant meant{unmatched.suggested_key, unmatched.suggested_value};
    finding.help("{} carries `{}`", describe(*cause.pool), meant.text());
    if (cause.is_fix_verified) offer(meant);
    return;
  }
  if (unmatched.carried.empty()) return;
  finding.help("known nodes carry {} under this key", list(unmatched.carried));
  // The only value there is: whether the pod then fits is proven before the fix is offered.
  const bool is_only = unmatched.half == Half::value && unmatched.carried.size() == 1 &&
                       unmatched.wanted.size() == 1;
  const bool is_written = cause.workloads.front()->origin == Workload::Origin::manifest;
  if (is_only && is_written) offer({unmatched.key, unmatched.carried.front()});
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Cause* cause : causes_of<UnmatchedRequirement>(corpus)) {
    if (is_matter_of_flyte_labels(corpus, *cause)) continue;
    const auto& unmatched = std::get<UnmatchedRequirement>(cause->what);
    const std::string_view written = unmatched.key_node.text();
    // Of a key that Flyte's loader changed lowercased-label-key speaks.
    if (written != unmatched.key && equal_fold(written, unmatched.key)) continue;
    Finding finding = report(*cause, unmatched, reporter);
    const std::string pool = describe(*cause->pool);
    finding.related(
        cause->other ? cause->other : name_node(*cause->pool),
        cause->other ? "what " + pool + " carries" : pool + " would offer what is requested");
    advise(corpus, *cause, unmatched, finding);
    relate_workloads(finding, *cause);
  }
}

}  // namespace

extern constinit const Rule unmatched_node_selector;
constinit const Rule unmatched_node_selector{
    .info = {.id = "unmatched-node-selector",
             .category = "placement",
             .summary =
                 "A nodeSelector or required affinity asks for a label that no known node carries.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe,
             .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules
