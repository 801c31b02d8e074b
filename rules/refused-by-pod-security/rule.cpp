#include "compiler/engine/rule.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/schedule/gpu_concern.h"
#include "compiler/schedule/gpu_daemon.h"
#include "rules/refused-by-pod-security/charts.h"
#include "rules/refused-by-pod-security/levels.h"
#include "rules/support/causes.h"

namespace gpulint::rules::refused_by_pod_security {
namespace {

/// What the levels `baseline` and `restricted` forbid, and where it stands.
struct Violation {
  std::string_view what;
  Node where;
};

// Pod Security Standards (Kubernetes 1.37), Baseline: privileged containers, host path volumes,
// host namespaces. What only `restricted` forbids is left out: much of it has exceptions.
[[nodiscard]] std::optional<Violation> find_violation(const PodSpec& pod) {
  for (const Container& container : pod.containers) {
    if (container.privileged.equals(true)) {
      return Violation{"a privileged container", container.privileged.node()};
    }
  }
  for (const std::string_view field : {"hostNetwork", "hostPID", "hostIPC"}) {
    const Node value = pod.node.get(field);
    if (value.is_scalar() && value.text() == "true") return Violation{"a host namespace", value};
  }
  for (const Volume& volume : pod.volumes) {
    if (volume.host_path.is_known()) return Violation{"a host path", volume.node.get("hostPath")};
  }
  return std::nullopt;
}

[[nodiscard]] bool concerns_gpus(const Workload& workload) {
  return find_gpu_daemon(workload) || gpu_concern(workload.pod) != GpuConcern::none;
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_charts(corpus, reporter);
  for (const Workload& workload : corpus.workloads) {
    const Node space = workload.object.at("metadata", "namespace");
    if (workload.origin != Workload::Origin::manifest || !space || space.is_opaque()) continue;
    if (!concerns_gpus(workload)) continue;
    const std::optional<Violation> violation = find_violation(workload.pod);
    if (!violation) continue;
    const auto level = find_enforced_level(corpus, workload.name_space);
    if (!level) continue;
    reporter
        .report_key(violation->where, "namespace `{}` enforces `{}`, which refuses {} of {}",
                    workload.name_space, level->level, violation->what, describe(workload))
        .related(level->where, "what enforces it")
        .help(
            "what drives GPUs needs the host: give it a namespace with "
            "`pod-security.kubernetes.io/enforce: privileged`");
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "refused-by-pod-security",
             .category = "resources",
             .summary =
                 "A namespace refuses pods that need the host, and GPUs get no driver or plugin.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules::refused_by_pod_security
