#include "compiler/engine/rule.h"

#include <algorithm>

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

/// Renames what is written where that is what was compiled, in place.
[[nodiscard]] std::vector<Edit> correct(const SourceSet& sources,
                                        const UnmatchedRequirement& unmatched) {
  std::vector<Edit> edits;
  const auto replace = [&](Node written, const std::string& is, const std::string& meant) {
    if (is == meant) return true;
    if (!written || written.text() != is) return false;
    std::vector<Edit> edit = replace_string(sources, written, meant);
    edits.insert(edits.end(), edit.begin(), edit.end());
    return !edit.empty();
  };
  if (!replace(unmatched.key_node, unmatched.key, unmatched.suggested_key)) return {};
  if (!unmatched.wanted.empty() &&
      !replace(unmatched.value_node, unmatched.wanted.front(), unmatched.suggested_value)) {
    return {};
  }
  std::ranges::sort(edits);
  return edits;
}

void advise(const Corpus& corpus, const Cause& cause, const UnmatchedRequirement& unmatched,
            Finding& finding) {
  if (unmatched.suggested_key.empty()) {
    if (!unmatched.carried.empty()) {
      finding.help("known nodes carry {} under this key", list(unmatched.carried));
    }
    // The only value there is: whether the pod then fits is proven before the fix is offered.
    const bool is_only = unmatched.half == UnmatchedRequirement::Half::value &&
                         unmatched.carried.size() == 1 && unmatched.wanted.size() == 1;
    if (is_only && cause.workloads.front()->origin == Workload::Origin::manifest) {
      UnmatchedRequirement only = unmatched;
      only.suggested_key = only.key;
      only.suggested_value = only.carried.front();
      finding.fix(Safety::unsafe, fmt::format("require `{}={}`", only.key, only.suggested_value),
                  correct(*corpus.sources, only));
    }
    return;
  }
  const std::string meant =
      unmatched.suggested_value.empty()
          ? unmatched.suggested_key
          : fmt::format("{}={}", unmatched.suggested_key, unmatched.suggested_value);
  finding.help("{} carries `{}`", describe(*cause.pool), meant);
  if (cause.is_fix_verified) {
    finding.fix(Safety::unsafe, fmt::format("require `{}`", meant),
                correct(*corpus.sources, unmatched));
  }
}

/// Flyte's loader changed the key that is written: lowercased-label-key says so.
[[nodiscard]] bool is_lowercased(const UnmatchedRequirement& unmatched) {
  const std::string_view written = unmatched.key_node.text();
  return written != unmatched.key && equal_fold(written, unmatched.key);
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Cause* cause : causes_of<UnmatchedRequirement>(corpus)) {
    if (is_matter_of_flyte_labels(corpus, *cause)) continue;
    const auto& unmatched = std::get<UnmatchedRequirement>(cause->what);
    if (is_lowercased(unmatched)) continue;
    Finding finding = report(*cause, unmatched, reporter);
    if (cause->other) {
      finding.related(cause->other, fmt::format("what {} carries", describe(*cause->pool)));
    } else {
      finding.related(name_node(*cause->pool),
                      fmt::format("{} would offer what is requested", describe(*cause->pool)));
    }
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
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules
