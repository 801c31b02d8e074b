#include "compiler/engine/rule.h"

namespace gpulint::rules::nested_task_function {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind != SdkRemark::Kind::nested_task) continue;
    reporter
        .report_span(remark.span, {},
                     "flytekit rejects task `{}`, because it is defined inside a function",
                     remark.task)
        .help("define the task at the top level of the module");
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python"}, .check = check};

}  // namespace gpulint::rules::nested_task_function
