#include "compiler/schedule/gates/taken_ports.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "compiler/schedule/describe.h"
#include "compiler/schedule/label_selector.h"
#include "compiler/schedule/pod_relations.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_daemon(const Workload& workload) { return workload.kind.equals("DaemonSet"); }

/// Whether the pod may be one that the workload created: its selector matches, or without a
/// selector the pod has all labels of its template.
[[nodiscard]] bool may_be_own(const Workload& pod, const Workload& workload) {
  if (!pod.kind.equals("Pod") || workload.kind.equals("Pod")) return false;
  if (pod.name_space != workload.name_space) return false;
  if (const Node selector = workload.object.get("spec").get("selector"); selector.is_mapping()) {
    return LabelSelector(selector).matches(pod.labels) != Ternary::no;
  }
  return std::ranges::all_of(workload.labels, [&](const LabelEntry& wanted) {
    return std::ranges::any_of(pod.labels, [&](const LabelEntry& label) {
      return label.key.value == wanted.key.value &&
             (!label.value.is_known() || !wanted.value.is_known() ||
              label.value.value() == wanted.value.value());
    });
  });
}

/// Whether the other one keeps its port: of two DaemonSets the first by name.
[[nodiscard]] bool yields_to(const Workload& workload, const Workload& other) {
  if (!is_daemon(workload) || !is_daemon(other)) return true;
  return std::tie(other.name_space, other.name) < std::tie(workload.name_space, workload.name);
}

}  // namespace

TakenPorts::TakenPorts(const NodeMap& map, const std::vector<Workload>& workloads) : map_(map) {
  for (const Workload& workload : workloads) {
    const std::vector<HostPort> ports = host_ports(workload.pod);
    if (ports.empty() || has_ended(workload)) continue;
    Pools pools;
    if (const auto node = map.find_node(workload.pod)) {
      pools = {*node};
    } else if (const PreparedPod* const pod = map.find_pod(workload);
               pod != nullptr && is_daemon(workload)) {
      pools = map.fitting(*pod, Ternary::yes);
    }
    for (const std::size_t pool : pools) {
      for (const HostPort& port : ports) uses_[pool].push_back({&workload, port});
    }
  }
}

const TakenPorts::Use* TakenPorts::find(std::size_t pool, const Workload& workload,
                                        const HostPort& port) const {
  const auto uses = uses_.find(pool);
  if (uses == uses_.end()) return nullptr;
  const Use* found = nullptr;
  for (const Use& each : uses->second) {
    const Workload& other = *each.workload;
    const bool takes = &other != &workload && collide(each.port, port) &&
                       yields_to(workload, other) && !may_be_own(other, workload);
    if (!takes) continue;
    // Prefer the same file: the message must not depend on other files.
    if (other.object.span().file == workload.object.span().file) return &each;
    if (found == nullptr) found = &each;
  }
  return found;
}

void TakenPorts::check(const Workload& workload, const Pools& fitting, Obstacles& found) const {
  if (map_.find_node(workload.pod)) return;  // it runs
  for (const HostPort& port : host_ports(workload.pod)) {
    const Use* first = nullptr;
    const bool is_taken = std::ranges::all_of(fitting, [&](std::size_t pool) {
      const Use* const use = find(pool, workload, port);
      if (first == nullptr) first = use;
      return use != nullptr;
    });
    if (!is_taken) continue;
    Obstacle& obstacle = found.add(
        port.node, "{} needs host port {}, but other pods use this port on every matching node",
        describe(workload), port.number);
    if (port.host_network) {
      obstacle.related(port.host_network,
                       "`hostNetwork` makes each `containerPort` a port of the node");
    }
    obstacle
        .related(first->port.node,
                 fmt::format("{} uses this port on {}", describe(*first->workload),
                             describe(map_.pool(fitting.front()))))
        .help("use another port, or remove `{}`. Otherwise the pod stays Pending",
              port.host_network ? "hostNetwork" : "hostPort")
        .assume();
    return;
  }
}

}  // namespace gpulint
