#include "compiler/engine/rule.h"

#include <string>

#include <fmt/format.h>

namespace gpulint::rules::opaque_task_resources {
namespace {

/// One finding may be the first of several: `known` is then their number.
[[nodiscard]] std::string message_of(const SdkRemark& remark) {
  const std::string tasks = remark.known.empty()
                                ? fmt::format("task `{}`", remark.task)
                                : fmt::format("{} tasks, such as `{}`", remark.known, remark.task);
  if (remark.kind == SdkRemark::Kind::unknown_amount) {
    return fmt::format("gpulint cannot check the GPUs of {}, because the code computes the amount",
                       tasks);
  }
  if (remark.task.empty()) {
    return remark.known.empty()
               ? std::string("gpulint found no task that uses these GPUs")
               : fmt::format("gpulint found no task for {} requests of GPUs", remark.known);
  }
  return fmt::format("gpulint cannot check {}, because {}", tasks, remark.seen);
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind != SdkRemark::Kind::unknown_amount &&
        remark.kind != SdkRemark::Kind::unknown_resources) {
      continue;
    }
    const bool lacks_template = remark.seen.starts_with("PodTemplate ");  // task_declarations.cpp
    reporter.report_span(remark.span, {}, "{}", message_of(remark))
        .help("{}declare the task in `gpulint.yaml` or with `--task`",
              lacks_template ? "check this file together with the PodTemplate, or " : "");
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .severity = Severity::info},
                                 .check = check};

}  // namespace gpulint::rules::opaque_task_resources
