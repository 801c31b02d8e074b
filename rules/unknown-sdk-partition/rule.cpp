#include "compiler/engine/rule.h"

namespace gpulint::rules::unknown_sdk_partition {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind != SdkRemark::Kind::unknown_partition) continue;
    Finding finding = reporter.report_span(remark.span, {}, "{} has no partition `{}` of `{}`",
                                           remark.is_flyte2 ? "Flyte 2's SDK" : "flytekit",
                                           remark.seen, remark.device);
    if (remark.known.empty()) {
      finding.help("remove it; `{}` has no partitions in this SDK", remark.device);
    } else {
      finding.help("use one of `{}`", remark.known);
    }
    if (remark.edit)
      finding.fix(Safety::unsafe, "write `" + remark.edit->text + "`", {*remark.edit});
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::unknown_sdk_partition
