#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/model/kinds/volcano_scheduler.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"

namespace gpulint {
namespace {

/// A Volcano resource, and the switch that enables it in the scheduler.
struct Served {
  std::string_view resource;
  std::string_view by;
};
constexpr auto served = std::to_array<Served>({{"volcano.sh/vgpu-number", volcano_vgpu},
                                               {"volcano.sh/vgpu-memory", volcano_vgpu},
                                               {"volcano.sh/vgpu-cores", volcano_vgpu},
                                               {"volcano.sh/gpu-memory", volcano_gpu_memory},
                                               {"volcano.sh/gpu-number", volcano_gpu_number}});

/// Whether this configuration does not enable the resource.
[[nodiscard]] bool check_switch(const VolcanoScheduler& scheduler, const Workload& workload,
                                const ResourceEntry& entry, Obstacles& found) {
  const auto* const known = std::ranges::find(served, entry.name.value, &Served::resource);
  if (known == served.end() || scheduler.find_switch(known->by)) return false;
  Obstacle& obstacle =
      found.add(entry.name.node, "{} requests `{}`, but Volcano's configuration does not enable it",
                describe(workload), entry.name.value);
  obstacle.related(scheduler.tiers.key(), "these plugins do not enable the resource")
      .help("add the plugin `deviceshare` with `deviceshare{}: true`", known->by);
  for (const std::string_view other : {volcano_vgpu, volcano_gpu_memory, volcano_gpu_number}) {
    const Node enabled = scheduler.find_switch(other);
    if (!enabled) continue;
    obstacle.help("request a resource that `{}` enables, or enable only `deviceshare{}`",
                  enabled.key().text(), known->by);
  }
  return true;
}

/// A Volcano resource of Nodes that share devices as vGPUs; null if there is none, or if some nodes
/// are unknown.
[[nodiscard]] Node find_vgpus(const Cluster& cluster) {
  Node found;
  for (const NodePool& pool : cluster.pools) {
    if (pool.source != NodePool::Source::node || !pool.resources_complete) return {};
    for (const ResourceEntry& entry : pool.allocatable) {
      if (entry.name.value == "volcano.sh/gpu-memory" ||
          entry.name.value == "volcano.sh/gpu-number") {
        return {};
      }
      if (!found && entry.name.value.starts_with("volcano.sh/vgpu-")) found = entry.name.node;
    }
  }
  return found;
}

/// Whether it is `volcano.sh/gpu-…`, and all Nodes that share devices offer `volcano.sh/vgpu-…`
/// (volcano-sh/volcano, pkg/scheduler/api/devices/nvidia/gpushare/type.go;
/// docs/user-guide/how_to_use_volcano_vgpu.md).
[[nodiscard]] bool check_name(Node offered, const Workload& workload, const ResourceEntry& entry,
                              Obstacles& found) {
  constexpr std::string_view domain = "volcano.sh/";
  const std::string& name = entry.name.value;
  if (name != "volcano.sh/gpu-memory" && name != "volcano.sh/gpu-number") return false;
  found.add(entry.name.node, "{} requests `{}`, but no node offers it", describe(workload), name)
      .related(offered, "this node shares GPUs as vGPUs")
      .help(
          "request `{}v{}`, because the nodes share GPUs as vGPUs. Otherwise the pod stays Pending",
          domain, name.substr(domain.size()));
  return true;
}

}  // namespace

FindObstacles make_volcano_share_gate(const ScopeModel& model) {
  std::vector<VolcanoScheduler> schedulers = find_volcano_schedulers(model.documents);
  const Node offered = schedulers.empty() ? find_vgpus(model.cluster) : Node{};
  if (schedulers.size() != 1 && !offered) return no_obstacles;
  return [schedulers = std::move(schedulers), offered](const Workload& workload) {
    Obstacles found(Gate::device);
    if (!workload.pod.scheduler_name.equals("volcano")) return std::move(found).take();
    for (const Container& container : workload.pod.containers) {
      for (const ResourceEntry& entry : container.resources.limits) {
        const bool is_found = offered ? check_name(offered, workload, entry, found)
                                      : check_switch(schedulers.front(), workload, entry, found);
        if (is_found) return std::move(found).take();  // one is enough
      }
    }
    return std::move(found).take();
  };
}

}  // namespace gpulint
