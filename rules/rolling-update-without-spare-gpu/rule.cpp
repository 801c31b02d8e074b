#include "compiler/engine/rule.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/pod_count.h"
#include "compiler/schedule/gpu_capacity.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/pod_anti_affinity.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::rolling_update_without_spare_gpu {
namespace {

/// `maxSurge` and `maxUnavailable`: a count, or a percentage of the replicas, 25 % by default
/// (Kubernetes 1.37, `pkg/apis/apps/v1/defaults.go`). Surge rounds up, unavailable down.
[[nodiscard]] std::optional<std::int64_t> resolve(Node update, std::string_view key,
                                                  std::int64_t replicas, bool rounds_up) {
  const Node node = update.get(key);
  std::string text(node ? node.text() : "25%");
  if (node && (!node.is_scalar() || node.is_opaque())) return std::nullopt;
  const bool is_share = text.ends_with('%');
  if (is_share) text.pop_back();
  if (text.empty() || text.size() > 6 ||
      text.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  const std::int64_t number = std::stoll(text);
  if (!is_share) return number;
  return (replicas * number + (rounds_up ? 99 : 0)) / 100;
}

/// Whether an update starts a new pod before an old one may end.
[[nodiscard]] bool starts_before_ending(Node strategy, std::int64_t replicas) {
  const Field<std::string> type = read_string(strategy, "type");
  if (!type.is_absent() && !type.equals("RollingUpdate")) return false;
  const Node update = strategy.get("rollingUpdate");
  const auto surge = resolve(update, "maxSurge", replicas, true);
  const auto unavailable = resolve(update, "maxUnavailable", replicas, false);
  return surge && unavailable && *surge > 0 && *unavailable == 0;
}

/// How pods of a workload are replaced.
struct Rollout {
  Node owner;  ///< Has the replicas.
  Node strategy;
  std::string_view remedy;
};

constexpr std::string_view of_deployments =
    "set `strategy: {type: Recreate}`, or `maxSurge: 0` and `maxUnavailable: 1`. Otherwise the new "
    "pod stays Pending";
constexpr std::string_view of_kserve =
    "set `deploymentStrategy: {type: Recreate}` if KServe runs without Knative. With Knative, "
    "which always starts the new pod first, add GPU nodes for one more pod. Otherwise the new pod "
    "stays Pending";

/// KServe copies `deploymentStrategy` into the Deployment that it creates (kserve/kserve v0.15,
/// ComponentExtensionSpec); Knative starts a revision before it ends another.
[[nodiscard]] std::optional<Rollout> read_rollout(const Workload& workload) {
  if (workload.kind.equals("Deployment")) {
    const Node spec = workload.object.get("spec");
    return Rollout{spec, spec.get("strategy"), of_deployments};
  }
  const Node component = workload.pod.node;
  if (!workload.kind.equals("InferenceService") || !component.is_mapping()) return std::nullopt;
  if (component.get("rollout") || component.get("workerSpec")) return std::nullopt;
  return Rollout{component, component.get("deploymentStrategy"), of_kserve};
}

/// Where to report: at the strategy, else at the replicas, else at the request.
[[nodiscard]] Span place_of(const Rollout& rollout, const DeviceDemand& demand) {
  if (rollout.strategy) return rollout.strategy.key_span();
  for (const std::string_view key : {"replicas", "minReplicas"}) {
    if (const Node node = rollout.owner.get(key)) return node.key_span();
  }
  return demand.node.span();
}

/// The replicas use all GPUs of the matching nodes.
void report_devices(const Workload& workload, const Rollout& rollout, const DeviceDemand& demand,
                    const Capacity& room, Reporter& reporter) {
  const Span place = place_of(rollout, demand);
  Finding finding = reporter.report_span(place, rollout.owner,
                                         "{} needs {} pods in a rolling update, but the matching "
                                         "nodes have GPUs for only {}",
                                         describe(workload), room.pods + 1, room.pods);
  if (place != demand.node.span())
    finding.related(demand.node, fmt::format("each pod requests `{}`", demand.resource));
  finding.help("{}", rollout.remedy);
}

/// Each matching node has one of the pods and accepts no second one.
void report_apart(const Workload& workload, const Rollout& rollout, const DeviceDemand& demand,
                  Node apart, Reporter& reporter) {
  reporter
      .report_span(place_of(rollout, demand), rollout.owner,
                   "{} needs a new pod in a rolling update, but each matching node already runs an "
                   "old pod",
                   describe(workload))
      .related(apart, "this setting allows only one pod of the workload per node")
      .help("{}", rollout.remedy);
}

void check_workload(const KnownNodes& nodes, const Workload& workload, const PreparedPod& pod,
                    Reporter& reporter) {
  const auto rollout = read_rollout(workload);
  const auto demand = device_demand(pod);
  const auto replicas = concurrent_pods(workload).pods;
  if (!rollout || !demand || !replicas || *replicas == 0) return;
  if (!starts_before_ending(rollout->strategy, *replicas)) return;
  // If not even the replicas fit, gpu-demand-exceeds-nodes reports that.
  const auto room = capacity_for(nodes, pod, *demand);
  if (room && room->pods == *replicas) {
    return report_devices(workload, *rollout, *demand, *room, reporter);
  }
  const Node apart = keeps_apart(workload);
  const auto count = apart ? count_nodes_for(nodes, pod) : std::nullopt;
  if (count == replicas) report_apart(workload, *rollout, *demand, apart, reporter);
}

void check(const Corpus& corpus, Reporter& reporter) {
  if (corpus.placement == nullptr || !corpus.placement->nodes) return;
  if (!are_nodes_fixed(corpus)) return;
  const KnownNodes& nodes = *corpus.placement->nodes;
  const Placement& placement = nodes.placement();
  for (std::size_t i = 0; i < placement.workloads().size(); ++i) {
    const Workload& workload = *placement.workloads()[i];
    if (is_placement_known(workload)) {
      check_workload(nodes, workload, placement.pod(i), reporter);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::rolling_update_without_spare_gpu
