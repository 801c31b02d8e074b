#include "compiler/engine/rule.h"

namespace gpulint::rules::declared_task_differs {
namespace {

void report_packaged(const SdkRemark& remark, Reporter& reporter) {
  Finding finding = reporter.report_span(
      remark.span, {}, "task `{}` requests {} in its Python source, but was packaged with {}",
      remark.task, remark.seen, remark.known);
  if (remark.other)
    finding.related(*remark.other, "gpulint checks this package instead of the Python source");
  finding.help("package the task again, or find the environment variables that change the task");
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind == SdkRemark::Kind::other_package) report_packaged(remark, reporter);
    if (remark.kind != SdkRemark::Kind::other_declaration) continue;
    Finding finding = reporter.report_span(
        remark.span, {}, "task `{}` requests {} in its Python source, but is declared with {}",
        remark.task, remark.seen, remark.known);
    if (remark.other)
      finding.related(*remark.other,
                      "gpulint checks this declaration instead of the Python source");
    finding.help("remove the declaration; gpulint then reads the task from its Python source");
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::declared_task_differs
