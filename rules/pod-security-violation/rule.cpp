#include "compiler/engine/rule.h"

#include <optional>
#include <set>
#include <string_view>

#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"
#include "compiler/model/gitops/helm_values_source.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/operands.h"
#include "rules/support/obstacles.h"

namespace gpulint::rules::pod_security_violation {
namespace {

/// The chart or operator of `GPU Operator: daemonsets.tolerations`, with an article if it needs
/// one.
[[nodiscard]] std::string owner_of(const Workload& operand) {
  const std::string role = operand.role;
  const std::string owner = role.substr(0, role.find(": "));
  return owner == "GPU Operator" ? "the " + owner : owner;
}

/// Reports charts in a namespace that rejects host paths. All DaemonSets of schedule/operands.h
/// mount host paths.
void check_charts(const Corpus& corpus, Reporter& reporter) {
  std::set<const void*> told;  // one finding for all operands of a chart
  for (const Workload& operand : find_operands(corpus)) {
    if (operand.origin != Workload::Origin::values) continue;
    const Field<std::string> space = chart_namespace(operand.object);
    if (!space.is_known()) continue;
    const auto level = find_enforced_level(corpus, space.value());
    const auto* const document = static_cast<const void*>(operand.object.document());
    if (!level || !told.insert(document).second) continue;
    reporter
        .report(space.node(),
                "{} uses host paths, but namespace `{}` enforces Pod Security level `{}`",
                owner_of(operand), space.value(), level->level)
        .severity(Severity::warning)
        .related(level->where, describe(*level))
        .help(
            "use a namespace with the label `pod-security.kubernetes.io/enforce: privileged`. "
            "Otherwise the API server rejects the pods, because only `privileged` allows host "
            "paths");
  }
}

[[nodiscard]] bool concerns_gpus(const Workload& workload) {
  return find_gpu_daemon(workload) || gpu_relation(workload.pod) != GpuRelation::none;
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_charts(corpus, reporter);
  const FindObstacles gate = make_pod_security_gate(corpus);
  for (const Workload& workload : corpus.workloads) {
    if (concerns_gpus(workload)) report(reporter, gate, workload);
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "resources", .aliases = "refused-by-pod-security"}, .check = check};

}  // namespace gpulint::rules::pod_security_violation
