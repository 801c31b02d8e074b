#include "compiler/engine/rule.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/model/gitops/values_place.h"
#include "compiler/schedule/gpu_concern.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/schedule/operands.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::refused_by_pod_security {
namespace {

/// A level that refuses pods which need the host, and what says so.
struct EnforcedLevel {
  std::string level;  ///< `baseline` or `restricted`.
  Node where;
};

[[nodiscard]] bool refuses(std::string_view level) {
  return level == "baseline" || level == "restricted";
}

/// Talos enforces `baseline` where a namespace says nothing («Pod Security», Talos 1.11), unless
/// its machine configuration says otherwise.
[[nodiscard]] Node find_talos_node(const Corpus& corpus) {
  for (const NodePool& pool : corpus.cluster.pools) {
    const Node image = pool.node.at("status", "nodeInfo", "osImage");
    if (image.text().starts_with("Talos (")) return image;
  }
  return {};
}

/// What the cluster enforces where a namespace carries no label: the `PodSecurityConfiguration` of
/// an AdmissionConfiguration or of Talos' machine configuration, else that of Talos' nodes.
[[nodiscard]] std::optional<EnforcedLevel> find_default_level(const Corpus& corpus,
                                                              const std::string& name) {
  Node found;
  for (const Document* const document : documents_with(corpus, "PodSecurityConfiguration")) {
    walk(root(*document), [&](Node at) {
      if (at.is_mapping() && at.get("kind").text() == "PodSecurityConfiguration") found = at;
    });
  }
  if (!found) {
    const Node talos = find_talos_node(corpus);
    const bool is_exempt = name == "kube-system";
    return talos && !is_exempt ? std::optional(EnforcedLevel{"baseline", talos}) : std::nullopt;
  }
  for (const Node exempt : found.at("exemptions", "namespaces").items()) {
    if (exempt.text() == name) return std::nullopt;
  }
  const Node level = found.at("defaults", "enforce");
  return refuses(level.text()) ? std::optional(EnforcedLevel{std::string(level.text()), level})
                               : std::nullopt;
}

/// What a namespace enforces; nothing where it refuses nothing, or is not among the inputs.
[[nodiscard]] std::optional<EnforcedLevel> find_enforced_level(const Corpus& corpus,
                                                               const std::string& name) {
  Node space;
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.kind.equals("Namespace") || object_name(object.node) != name) continue;
    if (space) return std::nullopt;  // which of them is in force?
    space = object.node;
  }
  if (!space) return std::nullopt;
  const Node labels = space.at("metadata", "labels");
  const Node level = labels.get("pod-security.kubernetes.io/enforce");
  if (labels.is_opaque()) return std::nullopt;
  if (!level) return find_default_level(corpus, name);
  return refuses(level.text()) ? std::optional(EnforcedLevel{std::string(level.text()), level})
                               : std::nullopt;
}

/// The chart or operator of `GPU Operator: daemonsets.tolerations`.
[[nodiscard]] std::string_view owner_of(const Workload& operand) {
  const std::string_view role = operand.role;
  return role.substr(0, role.find(": "));
}

/// Reports charts whose DaemonSets mount paths of the host (all that schedule/operands.h knows do)
/// and that something installs into a namespace which refuses them.
void check_charts(const Corpus& corpus, Reporter& reporter) {
  std::set<const void*> told;  // several operands of one chart
  for (const Workload& operand : find_operands(corpus)) {
    if (operand.origin != Workload::Origin::values) continue;
    const Field<std::string> space = chart_namespace(operand.object);
    if (!space.is_known()) continue;
    const auto level = find_enforced_level(corpus, space.value());
    const auto* const document = static_cast<const void*>(operand.object.document());
    if (!level || !told.insert(document).second) continue;
    reporter
        .report(space.node(), "namespace `{}` enforces `{}`, which refuses the host paths of {}",
                space.value(), level->level, owner_of(operand))
        .severity(Severity::warning)
        .related(level->where, "what enforces it")
        .help(
            "its DaemonSets stay at 0 pods: give them a namespace with "
            "`pod-security.kubernetes.io/enforce: privileged`");
  }
}

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

extern constinit const Rule rule{.info = {.category = "resources"}, .check = check};

}  // namespace gpulint::rules::refused_by_pod_security
