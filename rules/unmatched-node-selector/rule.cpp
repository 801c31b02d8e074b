#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/engine/reporter.h"
#include "compiler/model/accelerator_catalog.h"
#include "compiler/model/product_label.h"
#include "compiler/model/provider_catalog.h"
#include "rules/support/causes.h"
#include "rules/support/flyte_labels.h"
#include "rules/support/label_edits.h"
#include "rules/support/shared_causes.h"
#include "rules/unmatched-node-selector/stray_label.h"

namespace gpulint::rules::unmatched_node_selector {
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

/// Whether the pod has the name that GPU Feature Discovery gives nodes, and pools one that it never
/// does: then theirs is wrong.
[[nodiscard]] bool is_right_product(const UnmatchedRequirement& unmatched) {
  const auto is_known = [](const std::string& value) {
    return std::ranges::any_of(find_device(whole_product(value)), [](const DeviceName* name) {
      return name->vocabulary == DeviceVocabulary::gfd;
    });
  };
  return vocabulary_of_label(unmatched.key) == DeviceVocabulary::gfd &&
         unmatched.wanted.size() == 1 && is_known(unmatched.wanted.front()) &&
         std::ranges::none_of(unmatched.carried, is_known);
}

void advise(const Corpus& corpus, const SharedCause& shared, Finding& finding) {
  const Cause& cause = shared.cause;
  const auto& unmatched = std::get<UnmatchedRequirement>(cause.what);
  const auto offer = [&](const MeantLabel& meant) {
    finding.fix(Safety::unsafe, fmt::format("require `{}`", meant.text()),
                correct_labels(*corpus.sources, shared.parts, meant));
  };
  if (!unmatched.suggested_key.empty()) {
    const MeantLabel meant{unmatched.suggested_key, unmatched.suggested_value};
    finding.help("{} carries `{}`", describe(*cause.pool), meant.text());
    if (cause.is_fix_verified) offer(meant);
    return;
  }
  if (unmatched.carried.empty()) {
    if (unmatched.half == Half::key) {
      finding.help(
          "label the nodes so, or leave the requirement out; `gpulint nodes` lists labels");
    }
    return;
  }
  if (is_right_product(unmatched)) {
    finding.help("nodes with such GPUs carry `{}`; what is declared is {}, which no GPU is called",
                 unmatched.wanted.front(), list(unmatched.carried));
    return;
  }
  finding.help("known nodes carry {} under this key", list(unmatched.carried));
  // The only value there is: whether the pod then fits is proven before the fix is offered.
  const bool is_only = unmatched.half == Half::value && unmatched.carried.size() == 1 &&
                       unmatched.wanted.size() == 1;
  const bool is_written = cause.workloads.front()->origin != Workload::Origin::compiled;
  if (is_only && is_written) offer({unmatched.key, unmatched.carried.front()});
}

/// Of a label that a pool has where no node gets it; false where none has.
[[nodiscard]] bool advise_stray(const Corpus& corpus, const Cause& cause, Finding& finding) {
  const auto stray = find_stray_label(corpus, std::get<UnmatchedRequirement>(cause.what));
  if (!stray) return false;
  const bool is_path = stray->home.find(' ') == std::string_view::npos;
  finding.related(stray->key, "no node gets the label from here")
      .help("{} has it in `{}`; its nodes get labels from {}", describe(*stray->pool), stray->where,
            is_path ? fmt::format("`{}`", stray->home) : std::string(stray->home));
  return true;
}

[[nodiscard]] bool is_told_elsewhere(const Corpus& corpus, const Cause& cause) {
  const auto& unmatched = std::get<UnmatchedRequirement>(cause.what);
  const std::string_view written = unmatched.key_node.text();
  // Of a key that Flyte's loader changed lowercased-label-key speaks.
  const bool is_lowered = written != unmatched.key && equal_fold(written, unmatched.key);
  return is_lowered || is_matter_of_flyte_labels(corpus, cause);
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::vector<const Cause*> causes = causes_of<UnmatchedRequirement>(corpus);
  std::erase_if(causes, [&](const Cause* cause) { return is_told_elsewhere(corpus, *cause); });
  for (const SharedCause& shared : share_causes(corpus, causes)) {
    const Cause& cause = shared.cause;
    Finding finding = report(cause, std::get<UnmatchedRequirement>(cause.what), reporter);
    if (advise_stray(corpus, cause, finding)) {
      relate_workloads(finding, cause);
      continue;
    }
    const std::string pool = describe(*cause.pool);
    if (!shared.is_at_node) {
      finding.related(
          cause.other ? cause.other : name_node(*cause.pool),
          cause.other ? "what " + pool + " carries" : pool + " would offer what is requested");
    }
    advise(corpus, shared, finding);
    relate_workloads(finding, cause);
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "unmatched-node-selector",
             .category = "placement",
             .summary =
                 "A nodeSelector or required affinity asks for a label that no known node carries.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe,
             .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules::unmatched_node_selector
