#include "compiler/engine/rule.h"

namespace gpulint::rules::opaque_task_resources {
namespace {

/// GPUs that no task is read with.
void report_unused(const SdkRemark& remark, Reporter& reporter) {
  Finding finding =
      remark.known.empty()
          ? reporter.report_span(remark.span, {}, "gpulint reads no task that uses these GPUs")
          : reporter.report_span(remark.span, {},
                                 "gpulint reads no task that uses these GPUs, the first of {}",
                                 remark.known);
  finding.help("declare the task in gpulint.yaml or with --task");
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind != SdkRemark::Kind::unknown_resources) continue;
    if (remark.task.empty()) {
      report_unused(remark, reporter);
      continue;
    }
    Finding finding =
        remark.known.empty()
            ? reporter.report_span(remark.span, {}, "task `{}` is left out: {}", remark.task,
                                   remark.seen)
            : reporter.report_span(remark.span, {}, "the first of {} tasks that are left out: {}",
                                   remark.known, remark.seen);
    finding.help("declare it in gpulint.yaml, or with --task, and it is judged");
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .severity = Severity::info},
                                 .check = check};

}  // namespace gpulint::rules::opaque_task_resources
