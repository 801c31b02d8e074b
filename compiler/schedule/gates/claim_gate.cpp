#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/counted.h"
#include "compiler/ir/read.h"
#include "compiler/model/dra/constraints.h"
#include "compiler/model/dra/device_index.h"
#include "compiler/model/objects.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/likely_devices.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/pod_claims.h"
#include "compiler/schedule/pool_machines.h"

namespace gpulint {
namespace {

/// The nodes with devices, if none can serve the claims.
struct Refusals {
  std::size_t count = 0;
  std::vector<UnservedClaim> unserved;  ///< Of the first.
  const NodePool* first = nullptr;
  std::string devices = {};      ///< Of the first: `4 devices`, `4 × NVIDIA A10G`.
  std::size_t device_count = 0;  ///< Of the first.
  bool has_shared = false;       ///< A device of the first can serve several requests.
};

/// A node that has the devices but rejects the pod.
struct ClosedNode {
  const NodePool* pool = nullptr;
  std::vector<Reason> reasons;  ///< The certain ones; never empty.
};

/// A node with its devices, collected once for all pods.
struct AskedNode {
  AskedNode(const NodePool& pool, const dra::Inventory& inventory)
      : node(pool), devices(node, inventory) {}

  PreparedNode node;
  NodeDevices devices;  ///< Points at `node`.

  [[nodiscard]] bool is_node() const { return node.pool->source == NodePool::Source::node; }
  /// Whether it has no devices now. Devices that may be added later do not count.
  [[nodiscard]] bool is_bare() const {
    return is_node() && !devices.pools.is_open && devices.pools.pools.empty();
  }
};

[[nodiscard]] dra::DeviceIndex::Group group_of(const AskedNode& asked) {
  dra::DeviceIndex::Group group;
  const dra::Pools& pools = asked.devices.pools;
  group.is_open = !asked.is_node() || pools.is_open || pools.pools.empty();
  for (const dra::Pool& pool : pools.pools) {
    group.is_open = group.is_open || pool.is_incomplete || pool.is_invalid;
    for (const dra::Slice* slice : pool.slices) {
      for (const dra::Device& device : slice->devices) group.devices.push_back(&device);
    }
  }
  return group;
}

/// The nodes that claims are compared with: Node objects with their slices or, without any slice,
/// pools with the likely devices of their machines. The model must outlive it.
class ClaimGround {
 public:
  ClaimGround(const ScopeModel& model, const PlacementAnalysis* placement);

  [[nodiscard]] bool is_likely() const { return !likely_.nodes.empty(); }
  [[nodiscard]] PodClaims claims_of(const Workload& workload) const;
  /// nullopt if a node may serve the claims.
  [[nodiscard]] std::optional<Refusals> refusals_of(const PodClaims& claims) const;
  /// The first node that can serve the claims, if all such nodes certainly reject the pod. nullopt
  /// if one may accept it, or if no node can serve the claims. Only for Node objects with slices,
  /// by the placement of the model.
  [[nodiscard]] std::optional<ClosedNode> closed_by_others(const PodClaims& claims,
                                                           const PreparedPod& pod) const;

 private:
  [[nodiscard]] static bool may_serve(const PodClaims& claims, const AskedNode& asked);

  const PlacementAnalysis* placement_;
  ClaimSources sources_;
  LikelyNodes likely_;
  std::shared_ptr<const dra::Inventory> inventory_;
  std::deque<AskedNode> nodes_;
  std::optional<dra::DeviceIndex> index_;                     ///< Of `nodes_`; never nullopt.
  std::unordered_map<const NodePool*, std::size_t> classes_;  // of the placement's known nodes
};

/// Sets the devices of the first node.
void set_devices(Refusals& refusals, const dra::Pools& pools) {
  std::set<std::string> products;
  for (const dra::Pool& pool : pools.pools) {
    for (const dra::Slice* slice : pool.slices) {
      for (const dra::Device& device : slice->devices) {
        const auto* product = dra::find_attribute(device, "productName");
        const auto* name = product == nullptr ? nullptr : std::get_if<std::string>(product);
        products.insert(name == nullptr ? std::string() : *name);
        refusals.has_shared = refusals.has_shared || device.allows_many;
        ++refusals.device_count;
      }
    }
  }
  const bool is_one = products.size() == 1 && !products.begin()->empty();
  refusals.devices = is_one ? fmt::format("{} × {}", refusals.device_count, *products.begin())
                            : count_text(refusals.device_count, "device");
}

/// The class of each known node.
[[nodiscard]] std::unordered_map<const NodePool*, std::size_t> classes_of(
    const PlacementAnalysis* placement) {
  std::unordered_map<const NodePool*, std::size_t> classes;
  if (placement == nullptr || !placement->nodes) return classes;
  const KnownNodes& known = *placement->nodes;
  for (std::size_t i = 0; i < known.size(); ++i) {
    for (const NodePool* pool : known.members(i)) classes.emplace(pool, i);
  }
  return classes;
}

/// Why a node with the devices rejects the pod, after "node `gpu-1` has the claimed devices, but".
[[nodiscard]] std::string describe_rejection(const Reason& reason) {
  switch (reason.kind) {
    case ReasonKind::insufficient_resource:
      return fmt::format("not enough `{}` for the pod", reason.detail);
    case ReasonKind::untolerated_taint:
      return fmt::format("the pod does not tolerate the taint `{}`", reason.detail);
    case ReasonKind::node_affinity:
    case ReasonKind::node_affinity_error:
    case ReasonKind::node_selector:
      return "the pod's node selector or node affinity excludes the node";
    case ReasonKind::unschedulable:
      return "the node is unschedulable";
    case ReasonKind::unallocated_claims:
      break;
  }
  return fmt::format("the scheduler rejects the node (`{}`)", scheduler_text(reason));
}

/// What to change if a node with the devices rejects the pod.
[[nodiscard]] std::string describe_change(const Reason& reason) {
  switch (reason.kind) {
    case ReasonKind::insufficient_resource:
      return fmt::format("request less `{}`", reason.detail);
    case ReasonKind::untolerated_taint:
      return fmt::format("add a toleration for the taint `{}`", reason.detail);
    case ReasonKind::node_affinity:
    case ReasonKind::node_affinity_error:
    case ReasonKind::node_selector:
      return "change `nodeSelector` or the node affinity of the pod";
    case ReasonKind::unschedulable:
    case ReasonKind::unallocated_claims:
      break;
  }
  return "change this requirement of the pod, or the node";
}

void add_closed(Obstacles& obstacles, const Workload& workload, const ClosedNode& closed) {
  const Node claims = workload.pod.node.get("resourceClaims");
  const Reason& reason = closed.reasons.front();
  const bool is_amount = reason.kind == ReasonKind::insufficient_resource;
  const bool is_taint = reason.kind == ReasonKind::untolerated_taint;
  const bool has_place = reason.pool_node && (is_amount || is_taint);
  obstacles
      .add_at_key(claims, "{} has the claimed devices, but {}", describe(*closed.pool),
                  describe_rejection(reason))
      .assume()
      .related(reason.pool_node ? reason.pool_node : closed.pool->node.at("metadata", "name"),
               !has_place ? "this node has the claimed devices"
               : is_taint ? "the taint of the node with the claimed devices"
                          : fmt::format("{} offers only this amount", describe(*closed.pool)))
      .help("{}. Otherwise no node with the claimed devices accepts the pod",
            describe_change(reason));
}

/// Whether another rule reports that this pod fits no node.
[[nodiscard]] bool is_reported(const PlacementAnalysis& placement, const Workload& workload) {
  return std::ranges::any_of(placement.causes, [&](const Cause& cause) {
    return std::ranges::find(cause.workloads, &workload) != cause.workloads.end();
  });
}

ClaimGround::ClaimGround(const ScopeModel& model, const PlacementAnalysis* placement)
    : placement_(placement), sources_(model.objects), inventory_(read_inventory(model.objects)) {
  if (inventory_->slices().empty()) {
    likely_ = find_likely_nodes(model.cluster, model.objects);
    inventory_ = likely_.inventory;
    for (const NodePool& node : likely_.nodes) nodes_.emplace_back(node, *inventory_);
  } else {
    for (const NodePool& pool : model.cluster.pools) nodes_.emplace_back(pool, *inventory_);
    classes_ = classes_of(placement);
  }
  std::vector<dra::DeviceIndex::Group> groups;
  std::ranges::transform(nodes_, std::back_inserter(groups), group_of);
  index_.emplace(std::move(groups));
}

PodClaims ClaimGround::claims_of(const Workload& workload) const {
  return {workload, compute_requests(workload.pod), sources_, inventory_};
}

bool ClaimGround::may_serve(const PodClaims& claims, const AskedNode& asked) {
  const Ternary fits = claims.fits(asked.devices);
  return fits != Ternary::no && !(asked.is_bare() && fits == Ternary::unknown);
}

std::optional<Refusals> ClaimGround::refusals_of(const PodClaims& claims) const {
  for (const std::size_t i : index_->find(claims.demands())) {
    if (may_serve(claims, nodes_[i])) return std::nullopt;
  }
  const auto first = std::ranges::find_if_not(nodes_, &AskedNode::is_bare);
  if (first == nodes_.end()) return std::nullopt;
  const auto count =
      std::ranges::count_if(nodes_, [](const AskedNode& asked) { return !asked.is_bare(); });
  Refusals refusals{static_cast<std::size_t>(count), claims.unserved(first->devices),
                    first->node.pool};
  set_devices(refusals, first->devices.pools);
  return refusals;
}

std::optional<ClosedNode> ClaimGround::closed_by_others(const PodClaims& claims,
                                                        const PreparedPod& pod) const {
  if (is_likely() || pod.spec->resource_claims.empty()) return std::nullopt;
  std::optional<ClosedNode> first;
  for (const std::size_t i : index_->find(claims.demands())) {
    if (!may_serve(claims, nodes_[i])) continue;
    const PreparedNode& node = nodes_[i].node;
    const auto found = classes_.find(node.pool);
    if (!nodes_[i].is_node() || found == classes_.end()) return std::nullopt;
    std::vector<Reason> reasons = placement_->nodes->assess(pod, found->second).reasons;
    std::erase_if(reasons, [](const Reason& reason) {
      // The devices serve a resource that a DeviceClass backs.
      const bool is_extended = reason.detail.find('/') != std::string::npos;
      return reason.holds != Ternary::yes ||
             (reason.kind == ReasonKind::insufficient_resource && is_extended);
    });
    if (reasons.empty()) return std::nullopt;
    if (!first) first = ClosedNode{node.pool, std::move(reasons)};
  }
  return first;
}

void check_closed(const PlacementAnalysis* analysis, Obstacles& obstacles,
                  const ClaimGround& ground, const PodClaims& claims, const Workload& workload) {
  if (analysis == nullptr || !analysis->nodes) return;
  if (!is_placement_known(workload) || is_reported(*analysis, workload)) return;
  const Placement& placement = analysis->nodes->placement();
  const auto workloads = placement.workloads();
  const auto found = std::ranges::find(workloads, &workload);
  if (found == workloads.end()) return;
  const auto index = static_cast<std::size_t>(found - workloads.begin());
  const auto closed = ground.closed_by_others(claims, placement.pod(index));
  if (closed) add_closed(obstacles, workload, *closed);
}

/// The claim or template that an entry of `resourceClaims` names; null if it is not an input.
[[nodiscard]] Node find_claim(const ScopeModel& model, Node source) {
  using Pair = std::pair<std::string_view, std::string_view>;
  for (const auto& [kind, key] : {Pair{"ResourceClaim", "resourceClaimName"},
                                  Pair{"ResourceClaimTemplate", "resourceClaimTemplateName"}}) {
    const Field<std::string> name = read_string(source, key);
    for (const KubernetesObject& object : model.objects) {
      const bool is_it = object.kind.equals(std::string(kind)) && name.is_known() &&
                         object_name(object.node) == name.value();
      if (is_it) return object.node;
    }
  }
  return {};
}

/// "the claims `a` and `b`", "`nvidia.com/gpu`" …
[[nodiscard]] std::string describe_claims(const std::vector<UnservedClaim>& unserved) {
  std::vector<std::string> claims;
  std::vector<std::string> resources;
  for (const UnservedClaim& claim : unserved) {
    if (claim.is_resource) {
      resources.push_back(fmt::format("`{}`", claim.name));
    } else {
      claims.push_back(fmt::format("`{}`", claim.name));
    }
  }
  const bool is_one = claims.size() == 1;
  if (claims.empty()) return fmt::format("{}", fmt::join(resources, " and "));
  std::string text = fmt::format("the claim{} {}", is_one ? "" : "s", fmt::join(claims, " and "));
  if (!resources.empty()) {
    text += fmt::format(" and the request for {}", fmt::join(resources, " and "));
  }
  return text;
}

/// The `count` of the first claim's object, else the name of its request; null if not an input.
[[nodiscard]] Node request_of(const ScopeModel& model, const PodSpec& pod,
                              const UnservedClaim& first) {
  for (const Node source : pod.node.get("resourceClaims").items()) {
    if (first.is_resource || !read_string(source, "name").equals(first.name)) continue;
    const Node spec = find_claim(model, source).get("spec");
    const Node inner = spec.get("spec");
    const std::vector<Node> requests = (inner ? inner : spec).at("devices", "requests").items();
    if (requests.empty()) return {};
    const Node exactly = requests.front().get("exactly");
    const Node count = (exactly ? exactly : requests.front()).get("count");
    return count ? count : requests.front().get("name");
  }
  return {};
}

/// The `constraints` of the claim's object that has the request; null if it has none.
[[nodiscard]] Node constraints_beside(Node request) {
  Node devices = request;
  while (devices && devices.key().text() != "devices") devices = devices.parent();
  return devices.get("constraints");
}

/// How many devices all unserved claims need; nullopt if unknown.
[[nodiscard]] std::optional<std::int64_t> count_needed(const Refusals& refusals) {
  std::int64_t sum = 0;
  for (const UnservedClaim& claim : refusals.unserved) {
    if (!claim.devices) return std::nullopt;
    sum += *claim.devices;
  }
  return refusals.has_shared ? std::nullopt : std::optional(sum);
}

/// Whether the first node has fewer devices than all unserved claims need.
[[nodiscard]] bool has_too_few(const Refusals& refusals) {
  const auto needed = count_needed(refusals);
  return needed && std::cmp_greater(*needed, refusals.device_count);
}

/// `claim`; `request` if one of the unserved claims is a resource.
[[nodiscard]] std::string_view noun_for(const std::vector<UnservedClaim>& unserved) {
  return std::ranges::any_of(unserved, &UnservedClaim::is_resource) ? "request" : "claim";
}

/// Why the devices of the first node are not enough, after "this node has 2 devices, but".
[[nodiscard]] std::string describe_shortage(const Refusals& refusals) {
  const bool is_one = refusals.unserved.size() == 1;
  const std::string_view noun = noun_for(refusals.unserved);
  const std::int64_t needed = count_needed(refusals).value_or(0);
  if (has_too_few(refusals)) {
    return is_one ? fmt::format("the {} needs {}", noun, needed)
                  : fmt::format("these {}s together need {}", noun, needed);
  }
  const std::string all =
      is_one ? fmt::format("the {}", noun) : fmt::format("all of these {}s", noun);
  if (needed < 1) return fmt::format("cannot satisfy {}", all);
  if (needed == 1) return fmt::format("no device satisfies {}", all);
  const bool needs_all = std::cmp_equal(needed, refusals.device_count);
  if (needs_all && !is_one) return fmt::format("cannot satisfy these {}s together", noun);
  const std::string these = needs_all && needed == 2 ? "both"
                            : needs_all              ? fmt::format("all {}", needed)
                                                     : fmt::format("{} of them", needed);
  return fmt::format("{} {}{} cannot use {} at the same time", is_one ? "the" : "these", noun,
                     is_one ? "" : "s", these);
}

/// What to request instead.
[[nodiscard]] std::string describe_way_out(const Refusals& refusals) {
  if (refusals.unserved.size() > 1) {
    return fmt::format(
        "remove one of these {0}s, or add a node with devices for all of them. Each {0} fits "
        "alone, but one node must satisfy all {0}s",
        noun_for(refusals.unserved));
  }
  if (refusals.unserved.front().is_resource) {
    return "request fewer devices, or add a node with enough devices. One node must have all "
           "requested devices";
  }
  if (has_too_few(refusals)) {
    return "request fewer devices, or add a node with enough devices. One node must have all "
           "devices of a claim";
  }
  const std::optional<std::int64_t> needed = count_needed(refusals);
  if (!needed) {
    return "request fewer or other devices, or add a node with suitable devices. One node must "
           "have all devices of a claim";
  }
  return fmt::format(
      "request {} devices, or add a node with suitable devices. Check the selectors, constraints "
      "and tolerations of the claim",
      *needed == 1 ? "other" : "fewer or other");
}

void add_refusals(Obstacles& obstacles, const Refusals& refusals, Node wanted, bool is_likely) {
  const UnservedClaim& first = refusals.unserved.front();
  const std::string reason = fmt::format("no {} enough suitable devices for {} ({} checked)",
                                         is_likely ? "pool has a machine with" : "node has",
                                         describe_claims(refusals.unserved),
                                         count_text(refusals.count, is_likely ? "pool" : "node"));
  Obstacle& obstacle = first.is_resource ? obstacles.add(first.node, "{}", reason)
                                         : obstacles.add_at_key(first.node, "{}", reason);
  const NodePool& pool = *refusals.first;
  const bool is_count = wanted && wanted.key() && wanted.key().text() == "count";
  if (wanted) {
    obstacle.related(wanted, is_count
                                 ? fmt::format("the claim `{}` needs this many devices", first.name)
                                 : fmt::format("the request of the claim `{}`", first.name));
  }
  obstacle.assume()
      .related(is_likely ? machines_node(pool) : pool.node.at("metadata", "name"),
               fmt::format("{} has {}, but {}", is_likely ? "a machine of this pool" : "this node",
                           refusals.devices, describe_shortage(refusals)))
      .help("{}", describe_way_out(refusals));
  if (const Node constraints = constraints_beside(wanted)) {
    obstacle.related(constraints, "the devices of the claim must also meet these constraints");
  }
}

}  // namespace

FindObstacles make_claim_gate(const ScopeModel& model, const PlacementAnalysis* placement) {
  const bool is_claimed = std::ranges::any_of(model.workloads, [](const Workload& workload) {
    return !workload.pod.resource_claims.empty();
  });
  if (model.workloads.empty() || (!is_claimed && !has_slices(model))) return no_obstacles;
  const auto ground = std::make_shared<const ClaimGround>(model, placement);
  return [&model, placement, ground](const Workload& workload) {
    Obstacles found(Gate::device);
    const PodClaims claims = ground->claims_of(workload);
    if (claims.is_empty()) return std::move(found).take();
    if (const auto refusals = ground->refusals_of(claims)) {
      const Node wanted = request_of(model, workload.pod, refusals->unserved.front());
      add_refusals(found, *refusals, wanted, ground->is_likely());
    } else {
      check_closed(placement, found, *ground, claims, workload);
    }
    return std::move(found).take();
  };
}

bool has_slices(const ScopeModel& model) {
  return std::ranges::any_of(model.objects, [](const KubernetesObject& each) {
    return each.kind.equals("ResourceSlice");
  });
}

}  // namespace gpulint
