#include "compiler/engine/rule.h"

namespace gpulint::rules::unknown_sdk_device {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind != SdkRemark::Kind::unknown_device) continue;
    const bool is_certain = !remark.known.empty();
    Finding finding = reporter.report_span(remark.span, {}, "Flyte 2's SDK has no device `{}`{}",
                                           remark.seen, is_certain ? "" : " up to release 2.12");
    if (!is_certain) {
      finding.severity(Severity::info)
          .help("check that your release has it; the import fails for an unknown device");
      continue;
    }
    finding.help("did you mean `{}`?", remark.known);
    if (remark.edit) finding.fix(Safety::unsafe, "write `" + remark.known + "`", {*remark.edit});
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::unknown_sdk_device
