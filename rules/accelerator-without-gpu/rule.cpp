#include "compiler/engine/rule.h"

#include "compiler/flyte/analysis.h"

namespace gpulint::rules::accelerator_without_gpu {
namespace {

/// Whether the default requests of a release include GPUs, or may include them.
[[nodiscard]] bool gives_gpus(const Corpus& corpus) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const flyte::Amount* amount =
        installation.loaded.platform.by_name.requests.find("nvidia.com/gpu");
    if (amount != nullptr && (amount->opaque || !amount->quantity.is_zero())) return true;
  }
  return false;
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind != SdkRemark::Kind::accelerator_alone || gives_gpus(corpus)) continue;
    reporter
        .report_span(remark.span, {},
                     "task `{}` requires a node with the accelerator `{}`, but requests no GPU",
                     remark.task, remark.seen)
        .help(
            "set `gpu=\"1\"` in `requests=Resources(…)`. Otherwise `accelerator=` only selects a "
            "node, and Kubernetes allocates no GPU to the pod");
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::accelerator_without_gpu
