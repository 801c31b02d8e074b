#include "compiler/engine/rule.h"

namespace gpulint::rules::flytekit_int_gpu {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind != SdkRemark::Kind::integer_gpu) continue;
    Finding finding = reporter.report_span(
        remark.span, {}, "flytekit cannot serialize `gpu={}`, because the value is not a string",
        remark.seen);
    finding.help(
        "write the number as a string; registration fails with a TypeError that does not name the "
        "task");
    if (!remark.edit) continue;
    finding.fix(Safety::safe, "write `" + remark.edit->text + "`", {*remark.edit});
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::flytekit_int_gpu
