#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/schedule/gpu_capacity.h"
#include "compiler/schedule/placement_analysis.h"
#include "rules/support/causes.h"

namespace gpulint::rules {
namespace {

/// Of these all pods run at the same time: services, and jobs that wait for their last worker.
constexpr auto together = std::to_array<std::string_view>(
    {"Deployment", "JAXJob", "JobSet", "MPIJob", "MXJob", "PaddleJob", "PyTorchJob", "RayCluster",
     "RayJob", "RayService", "ReplicaSet", "StatefulSet", "TFJob", "TrainJob", "XGBoostJob"});
/// Of these all that are there run at the same time.
constexpr auto services = std::to_array<std::string_view>(
    {"Deployment", "RayCluster", "RayService", "ReplicaSet", "StatefulSet"});

template <std::size_t n>
[[nodiscard]] bool is_one_of(const Workload& workload,
                             const std::array<std::string_view, n>& kinds) {
  return workload.kind.is_known() && std::ranges::find(kinds, workload.kind.value()) != kinds.end();
}

/// Pods of one template that run side by side.
struct Share {
  const Workload* workload = nullptr;
  const PreparedPod* pod = nullptr;
  DeviceDemand demand;
  std::int64_t pods = 0;

  [[nodiscard]] std::int64_t devices() const { return pods * demand.amount; }
};
using Shares = std::vector<Share>;

[[nodiscard]] std::int64_t sum(const Shares& shares) {
  std::int64_t devices = 0;
  for (const Share& share : shares) devices += share.devices();
  return devices;
}

/// The resource on all nodes that may take one of the pods; nothing where an amount is open, or
/// where some pod fits nowhere, which is for others to say.
[[nodiscard]] std::optional<std::int64_t> offered(const KnownNodes& nodes, const Shares& shares) {
  std::map<std::size_t, std::int64_t> devices;
  for (const Share& share : shares) {
    bool fits = false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes.fits(*share.pod, i) == Ternary::no) continue;
      fits = true;
      if (devices.contains(i)) continue;
      for (const NodePool* pool : nodes.members(i)) {
        const auto amount = device_amount(*pool, share.demand.resource);
        if (!amount) return std::nullopt;
        devices[i] += *amount;
      }
    }
    if (!fits) return std::nullopt;
  }
  std::int64_t all = 0;
  for (const auto& [node_class, amount] : devices) all += amount;
  return all;
}

class Checker {
 public:
  Checker(const KnownNodes& nodes, Reporter& reporter) : nodes_(nodes), reporter_(reporter) {}

  void check() {
    const Placement& placement = nodes_.placement();
    for (std::size_t i = 0; i < placement.workloads().size(); ++i) {
      const Workload& workload = *placement.workloads()[i];
      if (!is_one_of(workload, together) || !is_placement_known(workload)) continue;
      const auto demand = device_demand(placement.pod(i));
      const auto pods = pods_side_by_side(workload);
      if (!demand || !pods || *pods == 0) continue;
      const Share share{&workload, &placement.pod(i), *demand, *pods};
      by_object_[{workload.object.span().file, workload.object.index()}].push_back(share);
      if (is_one_of(workload, services)) services_[demand->resource].push_back(share);
    }
    for (const auto& [object, shares] : by_object_) check_together(shares);
    for (const auto& [resource, shares] : services_) {
      if (!has_found_ && shares.size() > 1) check_together(shares);
    }
  }

 private:
  void check_together(const Shares& shares) {
    const std::string& resource = shares.front().demand.resource;
    const bool is_one_kind = std::ranges::all_of(
        shares, [&](const Share& share) { return share.demand.resource == resource; });
    const auto all = is_one_kind ? offered(nodes_, shares) : std::nullopt;
    const std::int64_t wanted = sum(shares);
    if (!all || wanted <= *all) return;
    has_found_ = true;
    // However the file is ordered: the largest, then by name.
    const Share& first = *std::ranges::min_element(shares, {}, [](const Share& share) {
      return std::pair(-share.devices(), share.workload->display_name());
    });
    std::int64_t pods = 0;
    for (const Share& share : shares) pods += share.pods;
    Finding finding = reporter_.report(
        first.demand.node, "{} pods want {} `{}` together; all nodes that take them have {} in all",
        pods, wanted, resource, *all);
    for (const Share& share : shares) {
      if (&share == &first) continue;
      finding.related(share.demand.node, fmt::format("{} for {}", share.devices(), describe(*share.workload)));
    }
    finding.help("{} run{} at the same time: ask for less, or add nodes; a pool that grows is told by "
                 "its own manifest",
                 shares.size() == 1 ? describe(*first.workload) : "they",
                 shares.size() == 1 ? "s" : "");
  }

  const KnownNodes& nodes_;
  Reporter& reporter_;
  std::map<std::pair<FileId, NodeIndex>, Shares> by_object_;
  std::map<std::string, Shares> services_;
  bool has_found_ = false;
};

void check(const Corpus& corpus, Reporter& reporter) {
  if (corpus.placement == nullptr || !corpus.placement->nodes) return;
  if (!are_nodes_fixed(corpus.cluster)) return;
  Checker(*corpus.placement->nodes, reporter).check();
}

}  // namespace

extern constinit const Rule gpu_demand_exceeds_nodes;
constinit const Rule gpu_demand_exceeds_nodes{
    .info = {.id = "gpu-demand-exceeds-nodes",
             .category = "placement",
             .summary = "Pods that run at the same time want more GPUs than all nodes have.",
             .severity = Severity::warning},
    .check = check};

}  // namespace gpulint::rules
