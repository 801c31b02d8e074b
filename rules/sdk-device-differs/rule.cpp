#include "compiler/engine/rule.h"

namespace gpulint::rules::sdk_device_differs {
namespace {

/// The same device of the other SDK; null if no task requests it there.
[[nodiscard]] const SdkRemark* find_other(const Corpus& corpus, const SdkRemark& one) {
  for (const SdkRemark& other : corpus.settings->sdk_remarks) {
    if (other.kind == one.kind && other.seen == one.seen && !other.is_flyte2) return &other;
  }
  return nullptr;
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind != SdkRemark::Kind::device || !remark.is_flyte2) continue;
    const SdkRemark* other = find_other(corpus, remark);
    if (other == nullptr) continue;
    reporter
        .report_span(remark.span, {},
                     "Flyte 2's SDK sends `{}` for this device, but flytekit sends `{}`",
                     remark.known, other->known)
        .related(other->span, "the same device in a flytekit task")
        .help(
            "map `{0}` to the value of your node label in Flyte 2's `accelerator-devices`. Or "
            "label some nodes `{0}` and others `{1}`",
            remark.known, other->known);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .severity = Severity::info},
                                 .check = check};

}  // namespace gpulint::rules::sdk_device_differs
