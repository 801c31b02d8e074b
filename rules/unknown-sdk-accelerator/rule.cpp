#include "compiler/engine/rule.h"

namespace gpulint::rules::unknown_sdk_accelerator {
namespace {

void report_device(Reporter& reporter, const SdkRemark& remark) {
  const bool is_certain = !remark.known.empty();
  Finding finding = reporter.report_span(
      remark.span, {}, "{} knows the device `{}`",
      is_certain ? "no release of Flyte 2's SDK" : "no release of Flyte 2's SDK up to 2.12",
      remark.seen);
  if (!is_certain) {
    finding.severity(Severity::info)
        .help(
            "check that your release of the SDK knows this device. Otherwise Python cannot import "
            "the module");
    return;
  }
  if (remark.known == remark.seen) {
    finding.help("write the number without quotes: `{}`", remark.known);
  } else {
    finding.help("did you mean `{}`?", remark.known);
  }
  if (remark.edit) finding.fix(Safety::unsafe, "write `" + remark.known + "`", {*remark.edit});
}

void report_partition(Reporter& reporter, const SdkRemark& remark) {
  Finding finding = reporter.report_span(
      remark.span, {}, "{} does not know the partition `{}` of `{}`",
      remark.is_flyte2 ? "Flyte 2's SDK" : "flytekit", remark.seen, remark.device);
  if (remark.known.empty()) {
    finding.help("remove the partition, because `{}` has no partitions in this SDK", remark.device);
  } else {
    finding.help("use one of `{}`", remark.known);
  }
  if (remark.edit) finding.fix(Safety::unsafe, "write `" + remark.edit->text + "`", {*remark.edit});
}

void report_missing_device(Reporter& reporter, const SdkRemark& remark) {
  reporter.report_span(remark.span, {}, "`device` is missing in `Device(…)`")
      .help(
          "add the argument `device`, or write `gpu={}` for GPUs of any kind. Otherwise the "
          "deployment fails",
          remark.seen);
}

void report_pair(Reporter& reporter, const SdkRemark& remark) {
  Finding finding = reporter.report_span(remark.span, {},
                                         "`gpu` of Flyte 2's `Resources` does not accept a pair");
  finding.help(
      "write the device and the number as one string, such as `gpu={}`. Otherwise the deployment "
      "fails",
      remark.known.empty() ? "\"A100:4\"" : remark.known);
  if (remark.edit) finding.fix(Safety::unsafe, "write `" + remark.known + "`", {*remark.edit});
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind == SdkRemark::Kind::unknown_device) report_device(reporter, remark);
    if (remark.kind == SdkRemark::Kind::missing_device) report_missing_device(reporter, remark);
    if (remark.kind == SdkRemark::Kind::paired_device) report_pair(reporter, remark);
    if (remark.kind == SdkRemark::Kind::unknown_partition) report_partition(reporter, remark);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python",
                                          .fix = FixAvailability::unsafe,
                                          .aliases = "unknown-sdk-device unknown-sdk-partition"},
                                 .check = check};

}  // namespace gpulint::rules::unknown_sdk_accelerator
