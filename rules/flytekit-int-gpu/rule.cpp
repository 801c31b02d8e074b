#include "compiler/engine/rule.h"

#include <string_view>

namespace gpulint::rules::flytekit_int_gpu {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind != SdkRemark::Kind::integer_gpu) continue;
    Finding finding = reporter.report_span(
        remark.span, {}, "flytekit cannot serialize `gpu={}`, because the value is not a string",
        remark.seen);
    constexpr std::string_view failure =
        "registration fails with a TypeError that does not name the task";
    if (!remark.edit) {
      finding.help("write the number as a string. Otherwise {}", failure);
      continue;
    }
    finding.help("{}", failure);
    finding.fix(Safety::safe, "write `" + remark.edit->text + "`", {*remark.edit});
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::flytekit_int_gpu
