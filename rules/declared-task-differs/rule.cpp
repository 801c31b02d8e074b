#include "compiler/engine/rule.h"

#include <cstddef>
#include <string_view>

namespace gpulint::rules::declared_task_differs {
namespace {

/// Both requests, without what is the same in both at their begin: only the partitions, or only the
/// accelerators.
struct Difference {
  std::string_view seen;
  std::string_view known;
};

[[nodiscard]] Difference difference(const SdkRemark& remark) {
  const std::string_view seen = remark.seen;
  const std::string_view known = remark.known;
  for (const std::string_view mark : {", ", " of "}) {
    const std::size_t at = seen.find(mark);
    if (at == seen.npos || seen.substr(0, at) != known.substr(0, known.find(mark))) continue;
    if (known.find(mark) == known.npos) continue;
    return {seen.substr(at + mark.size()), known.substr(at + mark.size())};
  }
  return {seen, known};
}

void report_packaged(const SdkRemark& remark, Reporter& reporter) {
  const auto [seen, known] = difference(remark);
  Finding finding = reporter.report_span(
      remark.span, {}, "task `{}` requests {} in Python, but its package requests {}", remark.task,
      seen, known);
  if (remark.other)
    finding.related(*remark.other, "gpulint checks this package instead of the Python source");
  finding.help("package the task again, or find the environment variables that change the task");
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const SdkRemark& remark : corpus.settings->sdk_remarks) {
    if (remark.kind == SdkRemark::Kind::other_package) report_packaged(remark, reporter);
    if (remark.kind != SdkRemark::Kind::other_declaration) continue;
    const auto [seen, known] = difference(remark);
    Finding finding = reporter.report_span(
        remark.span, {}, "task `{}` requests {} in Python, but its declaration requests {}",
        remark.task, seen, known);
    if (remark.other)
      finding.related(*remark.other,
                      "gpulint checks this declaration instead of the Python source");
    finding.help("remove the declaration, or correct its request");
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::declared_task_differs
