#include "compiler/engine/rule.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/schedule/gpu_concern.h"
#include "compiler/schedule/gpu_daemon.h"
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

/// The label by which the namespace refuses such pods; nothing where it does not, or is not given.
[[nodiscard]] Node find_enforcing_label(const Corpus& corpus, const std::string& name) {
  Node found;
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.kind.equals("Namespace") || object_name(object.node) != name) continue;
    if (found) return {};  // which of them is in force?
    const Node level = object.node.at("metadata", "labels", "pod-security.kubernetes.io/enforce");
    if (level.text() != "baseline" && level.text() != "restricted") return {};
    found = level;
  }
  return found;
}

[[nodiscard]] bool concerns_gpus(const Workload& workload) {
  return find_gpu_daemon(workload) || gpu_concern(workload.pod) != GpuConcern::none;
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    const Node space = workload.object.at("metadata", "namespace");
    if (workload.origin != Workload::Origin::manifest || !space || space.is_opaque()) continue;
    if (!concerns_gpus(workload)) continue;
    const std::optional<Violation> violation = find_violation(workload.pod);
    if (!violation) continue;
    const Node level = find_enforcing_label(corpus, workload.name_space);
    if (!level) continue;
    reporter
        .report_key(violation->where, "namespace `{}` enforces `{}`, which refuses {} of {}",
                    workload.name_space, level.text(), violation->what, describe(workload))
        .related(level, "the level that is enforced")
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
