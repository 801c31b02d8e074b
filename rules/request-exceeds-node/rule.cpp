#include "compiler/engine/rule.h"

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "rules/support/causes.h"
#include "rules/support/machines.h"

namespace gpulint::rules::request_exceeds_node {
namespace {

/// cpu is counted in thousandths.
[[nodiscard]] std::string amount(const std::string& name, std::int64_t value) {
  if (name != "cpu") return fmt::format("{}", value);
  return value % 1000 == 0 ? fmt::format("{}", value / 1000) : fmt::format("{}m", value);
}

[[nodiscard]] Finding report(const Cause& cause, const ExceededAmount& exceeded,
                             Reporter& reporter) {
  const std::string requested = amount(exceeded.name, exceeded.requested);
  const std::string offered = amount(exceeded.name, exceeded.offered);
  const std::string workloads = describe_workloads(cause);
  if (exceeded.is_elsewhere) {
    return reporter.report_span(cause.where, cause.blame,
                                "no node that {} selects has {} `{}`; the largest of them has {}",
                                workloads, requested, exceeded.name, offered);
  }
  return reporter.report_span(cause.where, cause.blame,
                              "no known node has {} `{}` for {}; the largest has {}", requested,
                              exceeded.name, workloads, offered);
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Cause* cause : causes_of<ExceededAmount>(corpus)) {
    const auto& exceeded = std::get<ExceededAmount>(cause->what);
    Finding finding = report(*cause, exceeded, reporter);
    finding.related(cause->other, fmt::format("all that {} has", describe(*cause->pool)))
        .help("request at most {} in one pod, or spread the work over several pods",
              amount(exceeded.name, exceeded.offered));
    relate_machines(finding, *cause, exceeded.name);
    const std::string machines = describe_machines(*cause->pool);
    if (!machines.empty()) finding.add_help(machines);
    relate_workloads(finding, *cause);
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "request-exceeds-node",
             .category = "placement",
             .summary = "One pod requests more of a resource than any node that it selects has.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules::request_exceeds_node
