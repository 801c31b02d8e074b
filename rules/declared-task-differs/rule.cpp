#include "compiler/engine/rule.h"

namespace gpulint::rules::declared_task_differs {
namespace {

void report_packaged(const SdkRemark& remark, Reporter& reporter) {
  Finding finding =
      reporter.report_span(remark.span, {}, "task `{}` asks for {} here and was packaged with {}",
                           remark.task, remark.seen, remark.known);
  if (remark.other) finding.related(*remark.other, "the package, which counts");
  finding.help("package it again, or look for what else has a say where it is packaged");
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind == SdkRemark::Kind::other_package) report_packaged(remark, reporter);
    if (remark.kind != SdkRemark::Kind::other_declaration) continue;
    Finding finding =
        reporter.report_span(remark.span, {}, "task `{}` asks for {} here and is declared with {}",
                             remark.task, remark.seen, remark.known);
    if (remark.other) finding.related(*remark.other, "the declaration, which counts");
    finding.help(
        "a task that is written in Python need not be declared: leave the declaration out");
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::declared_task_differs
