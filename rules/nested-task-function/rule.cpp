#include "compiler/engine/rule.h"

namespace gpulint::rules::nested_task_function {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind != SdkRemark::Kind::nested_task) continue;
    reporter
        .report_span(remark.span, {},
                     "flytekit rejects task `{}`, because the task is defined inside a function",
                     remark.task)
        .help("define `{}` at the top level of the module", remark.task);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python"}, .check = check};

}  // namespace gpulint::rules::nested_task_function
