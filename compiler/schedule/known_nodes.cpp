#include "compiler/schedule/known_nodes.h"

#include <algorithm>
#include <utility>

#include "compiler/schedule/pool_accelerators.h"

namespace gpulint {
namespace {

[[nodiscard]] std::vector<CarriedLabel> carried_labels(const Cluster& cluster,
                                                       const NodeClass& nodes) {
  std::vector<CarriedLabel> carried;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const std::size_t index : nodes.pools) {
    for (const PoolLabel& label : cluster.pools[index].labels) {
      const bool is_stated =
          label.known == PoolLabel::Known::exact || label.known == PoolLabel::Known::one_of;
      if (!is_stated || label.key == "kubernetes.io/hostname") continue;
      for (const std::string& value : label.values) {
        if (seen.emplace(label.key, value).second)
          carried.push_back({label.key, value, label.node});
      }
    }
  }
  return carried;
}

[[nodiscard]] bool is_refused_by_karpenter(const NodeClass& nodes) {
  return nodes.karpenter && !nodes.karpenter->invalid.empty();
}

}  // namespace

KnownNodes::KnownNodes(const Cluster& cluster, std::vector<const Workload*> workloads,
                       ExtendedResourceToleration admission,
                       const std::set<std::string, std::less<>>& virtual_resources, unsigned jobs)
    : cluster_(&cluster),
      placement_(workloads, prepare_pods(workloads, admission, jobs), cluster, virtual_resources) {
  for (const NodeClass& nodes : placement_.classes()) {
    accelerators_.push_back(gpulint::has_accelerators(cluster.pools[nodes.pools.front()]));
    labels_.push_back(carried_labels(placement_.cluster(), nodes));
  }
}

const NodePool& KnownNodes::pool(std::size_t node_class) const {
  return cluster_->pools[placement_.classes()[node_class].pools.front()];
}

std::vector<const NodePool*> KnownNodes::members(std::size_t node_class) const {
  std::vector<const NodePool*> pools;
  for (const std::size_t index : placement_.classes()[node_class].pools) {
    pools.push_back(&cluster_->pools[index]);
  }
  return pools;
}

Ternary KnownNodes::has_accelerators(std::size_t node_class) const {
  return accelerators_[node_class];
}

bool KnownNodes::has_gpus() const {
  return std::ranges::find(accelerators_, Ternary::yes) != accelerators_.end();
}

Ternary KnownNodes::fits(const PreparedPod& pod, std::size_t node_class) const {
  const NodeClass& nodes = placement_.classes()[node_class];
  return nodes.karpenter ? assess(pod, node_class).fits
                         : gpulint::fits(pod, nodes, Transient::ignored);
}

Assessment KnownNodes::assess(const PreparedPod& pod, std::size_t node_class) const {
  const NodeClass& nodes = placement_.classes()[node_class];
  Assessment assessment = gpulint::assess(pod, nodes, Transient::ignored);
  if (is_refused_by_karpenter(nodes)) {
    assessment.fits = Ternary::unknown;
    return assessment;
  }
  for (Reason& reason : assessment.reasons) {
    if (!reason.is_assumed) continue;
    reason.holds = Ternary::yes;
    assessment.fits = Ternary::no;
  }
  return assessment;
}

bool KnownNodes::may_fit_somewhere(const PreparedPod& pod) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if (fits(pod, i) != Ternary::no) return true;
  }
  return false;
}

bool KnownNodes::may_fit_somewhere(const PreparedPod& pod,
                                   std::span<const LabelPair> new_labels) const {
  if (may_fit_somewhere(pod)) return true;
  const auto carries_all = [&](const NodePool& pool) {
    return std::ranges::all_of(new_labels, [&](const LabelPair& wanted) {
      return std::ranges::any_of(pool.labels, [&](const PoolLabel& label) {
        return label.key == wanted.first && !label.values.empty() &&
               (wanted.second.empty() || label.values.front() == wanted.second);
      });
    });
  };
  for (const NodeClass& nodes : placement_.classes()) {
    if (nodes.karpenter || nodes.pools.size() == 1) continue;
    const auto other = std::ranges::find_if(nodes.pools, [&](std::size_t index) {
      return carries_all(placement_.cluster().pools[index]);
    });
    if (other == nodes.pools.end()) continue;
    const PreparedNode node(placement_.cluster().pools[*other]);
    if (gpulint::fits(pod, node, Transient::ignored) != Ternary::no) return true;
  }
  return false;
}

std::span<const CarriedLabel> KnownNodes::labels(std::size_t node_class) const {
  return labels_[node_class];
}

}  // namespace gpulint
