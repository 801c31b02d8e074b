#include "compiler/engine/rule.h"

namespace gpulint::rules::opaque_task_resources {
namespace {

/// GPUs that no known task uses.
void report_unused(const SdkRemark& remark, Reporter& reporter) {
  Finding finding =
      remark.known.empty()
          ? reporter.report_span(remark.span, {}, "gpulint found no task that uses these GPUs")
          : reporter.report_span(
                remark.span, {},
                "gpulint found no task that uses these GPUs (the first of {} requests)",
                remark.known);
  finding.help("declare the task in gpulint.yaml or with --task");
}

/// A task that is checked but for its number of GPUs.
void report_amount(const SdkRemark& remark, Reporter& reporter) {
  Finding finding =
      remark.known.empty()
          ? reporter.report_span(remark.span, {},
                                 "the number of GPUs of task `{}` is computed and not checked",
                                 remark.task)
          : reporter.report_span(
                remark.span, {},
                "the number of GPUs is computed and not checked (the first of {} tasks)",
                remark.known);
  finding.help("declare the task in gpulint.yaml or with --task");
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind == SdkRemark::Kind::unknown_amount) report_amount(remark, reporter);
    if (remark.kind != SdkRemark::Kind::unknown_resources) continue;
    if (remark.task.empty()) {
      report_unused(remark, reporter);
      continue;
    }
    Finding finding = remark.known.empty()
                          ? reporter.report_span(remark.span, {}, "task `{}` is not checked: {}",
                                                 remark.task, remark.seen)
                          : reporter.report_span(remark.span, {},
                                                 "{} tasks are not checked (this is the first): {}",
                                                 remark.known, remark.seen);
    finding.help("declare the task in gpulint.yaml or with --task");
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .severity = Severity::info},
                                 .check = check};

}  // namespace gpulint::rules::opaque_task_resources
