#include "compiler/engine/rule.h"

namespace gpulint::rules::pod_template_resources_lost {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind != SdkRemark::Kind::lost_template_gpu) continue;
    reporter
        .report_span(remark.span, {},
                     "task `{}` loses the GPUs of its pod template, because `{}` replaces the "
                     "template's resources",
                     remark.task, remark.known)
        .related(remark.other.value_or(Span{}), "the pod template requests GPUs here")
        .help(
            "also request the GPUs in `{0}`, or remove `{0}` and set all resources in the pod "
            "template. Otherwise the task's container receives no GPU",
            remark.known);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python"}, .check = check};

}  // namespace gpulint::rules::pod_template_resources_lost
