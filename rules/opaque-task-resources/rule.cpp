#include "compiler/engine/rule.h"

#include <string>

#include <fmt/format.h>

namespace gpulint::rules::opaque_task_resources {
namespace {

/// One finding may be the first of several: `known` is then their number.
[[nodiscard]] std::string message_of(const SdkRemark& remark) {
  const std::string others =
      remark.known.empty() ? "" : fmt::format(" (the first of {} such tasks)", remark.known);
  if (remark.kind == SdkRemark::Kind::unknown_amount) {
    return fmt::format(
        "the number of GPUs of task `{}` is computed, so gpulint cannot check this number{}",
        remark.task, others);
  }
  if (remark.task.empty()) {
    return "gpulint found no task that uses these GPUs" +
           (remark.known.empty() ? ""
                                 : fmt::format(" (the first of {} such requests)", remark.known));
  }
  return fmt::format("task `{}` is not checked, because {}{}", remark.task, remark.seen, others);
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind != SdkRemark::Kind::unknown_amount &&
        remark.kind != SdkRemark::Kind::unknown_resources) {
      continue;
    }
    reporter.report_span(remark.span, {}, "{}", message_of(remark))
        .help(
            "declare the task in `gpulint.yaml` or with `--task`. Otherwise gpulint cannot check "
            "the "
            "task");
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .severity = Severity::info},
                                 .check = check};

}  // namespace gpulint::rules::opaque_task_resources
