#include "compiler/engine/rule.h"

#include <string>

#include <fmt/format.h>

namespace gpulint::rules::opaque_task_resources {
namespace {

/// One finding may be the first of several: `known` is then their number.
[[nodiscard]] std::string message_of(const SdkRemark& remark) {
  const bool is_first = !remark.known.empty();
  if (remark.kind == SdkRemark::Kind::unknown_amount) {
    return is_first ? fmt::format(
                          "the number of GPUs of {} tasks is computed and not checked (this is the "
                          "first)",
                          remark.known)
                    : fmt::format("the number of GPUs of task `{}` is computed and not checked",
                                  remark.task);
  }
  if (remark.task.empty()) {
    return "gpulint found no task that uses these GPUs" +
           (is_first ? fmt::format(" (this is the first of {} such requests)", remark.known) : "");
  }
  return is_first ? fmt::format("{} tasks are not checked (this is the first): {}", remark.known,
                                remark.seen)
                  : fmt::format("task `{}` is not checked: {}", remark.task, remark.seen);
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind != SdkRemark::Kind::unknown_amount &&
        remark.kind != SdkRemark::Kind::unknown_resources) {
      continue;
    }
    reporter.report_span(remark.span, {}, "{}", message_of(remark))
        .help("declare the task in gpulint.yaml or with --task");
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .severity = Severity::info},
                                 .check = check};

}  // namespace gpulint::rules::opaque_task_resources
