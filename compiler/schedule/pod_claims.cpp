#include "compiler/schedule/pod_claims.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "compiler/model/dra/dra.h"
#include "compiler/model/go_json.h"
#include "compiler/model/objects.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_kind(const KubernetesObject& object, std::string_view kind) {
  return object.kind.equals(std::string(kind)) &&
         object.api_version.value_or("resource.k8s.io/").starts_with("resource.k8s.io/");
}

/// The claim of a ComputeDomain's template.
[[nodiscard]] dra::Claim channel_claim() {
  dra::Wanted wanted;
  wanted.name = "channel";
  wanted.device_class = channel_class;
  dra::Claim claim;
  claim.requests.push_back({wanted.name, false, {wanted}});
  return claim;
}

/// The claim of an entry of spec.resourceClaims.
[[nodiscard]] dra::Claim read_entry(Node entry, const ClaimSources& sources,
                                    const std::string& space) {
  const Field<std::string> name = decode_string(entry.get("resourceClaimName"));
  const Field<std::string> from = decode_string(entry.get("resourceClaimTemplateName"));
  dra::Claim claim;
  if (name.is_known() == from.is_known()) {
    claim.is_open = true;
  } else if (name.is_known()) {
    claim = sources.find("ResourceClaim", name.value(), space);
  } else {
    claim = sources.find("ResourceClaimTemplate", from.value(), space);
  }
  claim.name = decode_string(entry.get("name")).value_or("");
  return claim;
}

/// The node, with a function that matches NodeSelectors.
[[nodiscard]] dra::NodeView view_of(const PreparedNode& node) {
  return {std::string(node.name.text), [&node](Node selector) -> std::optional<bool> {
            Ternary answer = Ternary::no;
            for (const SelectorTerm& term : read_node_selector(selector)) {
              if (term.expressions.empty() && term.fields.empty()) continue;
              answer = any_of(answer, matches(prepare_term(term), node.labels, node.name));
            }
            if (answer == Ternary::unknown) return std::nullopt;
            return answer == Ternary::yes;
          }};
}

[[nodiscard]] dra::Request to_request(const PodRequest& request, const std::string& device_class) {
  dra::Wanted wanted;
  wanted.node = request.node;
  wanted.name = request.name;
  wanted.device_class = device_class;
  wanted.count = request.amount;
  dra::Request made;
  made.name = request.name;
  made.alternatives.push_back(std::move(wanted));
  return made;
}

/// nullopt if the number is unknown or depends on the node. Admin access needs no device of its
/// own.
[[nodiscard]] std::optional<std::int64_t> count_devices(const dra::Claim& claim) {
  constexpr std::int64_t most = 10'000;
  if (claim.is_open) return std::nullopt;
  std::int64_t sum = 0;
  for (const dra::Request& request : claim.requests) {
    if (request.is_choice || request.alternatives.size() != 1) return std::nullopt;
    const dra::Wanted& wanted = request.alternatives.front();
    if (wanted.all || wanted.is_admin || wanted.count < 1 || wanted.count > most) return {};
    sum += wanted.count;
  }
  return sum;
}

[[nodiscard]] Ternary to_ternary(const dra::Allocation& allocation) {
  switch (allocation.answer) {
    case dra::Allocation::Answer::yes:
      return Ternary::yes;
    case dra::Allocation::Answer::no:
    case dra::Allocation::Answer::error:
      return Ternary::no;
    case dra::Allocation::Answer::open:
      break;
  }
  return Ternary::unknown;
}

}  // namespace

bool has_device_classes(std::span<const KubernetesObject> objects) {
  return std::ranges::any_of(
      objects, [](const KubernetesObject& object) { return is_kind(object, "DeviceClass"); });
}

dra::Stock read_stock(std::span<const KubernetesObject> objects) {
  dra::Stock stock;
  for (const KubernetesObject& object : objects) {
    if (is_kind(object, "ResourceSlice")) {
      stock.slices.push_back(dra::read_slice(object.node));
    } else if (is_kind(object, "DeviceClass")) {
      stock.classes.push_back(dra::read_device_class(object.node));
    } else if (is_kind(object, "DeviceTaintRule")) {
      stock.taint_rules.push_back(dra::read_taint_rule(object.node));
    } else if (is_kind(object, "ResourceClaim")) {
      std::ranges::move(dra::read_holdings(object.node), std::back_inserter(stock.holdings));
    }
  }
  return stock;
}

std::shared_ptr<const dra::Inventory> read_inventory(std::span<const KubernetesObject> objects) {
  return std::make_shared<const dra::Inventory>(read_stock(objects));
}

NodeDevices::NodeDevices(const PreparedNode& asked, const dra::Inventory& inventory)
    : node(&asked),
      view(view_of(asked)),
      pools(dra::gather_pools(inventory, view, dra::Occupancy::ignored)) {
  if (inventory.holdings().empty()) return;
  dra::Pools occupied = dra::gather_pools(inventory, view, dra::Occupancy::counted);
  const bool is_touched = std::ranges::any_of(
      occupied.pools, [](const dra::Pool& pool) { return !pool.taken.empty(); });
  if (is_touched) left = std::move(occupied);
}

ClaimSources::ClaimSources(std::span<const KubernetesObject> objects) {
  for (const KubernetesObject& object : objects) {
    for (const char* kind : {"ResourceClaim", "ResourceClaimTemplate"}) {
      if (!is_kind(object, kind)) continue;
      by_name_.try_emplace({kind, object_namespace(object.node), object_name(object.node)},
                           object.node);
    }
    const auto domain = read_compute_domain(object);
    if (!domain || !domain->claim_template.is_known()) continue;
    domain_templates_.emplace(object_namespace(object.node), domain->claim_template.value());
  }
}

dra::Claim ClaimSources::find(std::string_view kind, const std::string& name,
                              const std::string& space) const {
  const auto found = by_name_.find({std::string(kind), space, name});
  if (found != by_name_.end()) return dra::read_claim(found->second);
  if (kind == "ResourceClaimTemplate" && domain_templates_.contains({space, name})) {
    return channel_claim();
  }
  dra::Claim unknown;
  unknown.is_open = true;
  return unknown;
}

PodClaims::PodClaims(const Workload& workload, const PodRequests& requests,
                     const ClaimSources& sources, std::shared_ptr<const dra::Inventory> inventory)
    : node_(workload.pod.node.get("resourceClaims")), inventory_(std::move(inventory)) {
  const std::string space = object_namespace(workload.object);
  for (const Node entry : node_.items()) claims_.push_back(read_entry(entry, sources, space));
  if (node_.is_opaque()) claims_.emplace_back().is_open = true;
  // A class that selects no known device may belong to a driver whose slices are missing.
  for (dra::Claim& claim : claims_) {
    for (const dra::Request& request : claim.requests) {
      for (const dra::Wanted& wanted : request.alternatives) {
        const dra::DeviceClass* own = inventory_->find_class(wanted.device_class);
        if (own == nullptr || !own->may_select) claim.is_open = true;
      }
    }
  }
  for (const PodRequest& request : requests.resources) {
    if (request.name.find('/') == std::string::npos) continue;
    const auto [device_class, is_open] = inventory_->find_backing(request.name);
    if ((device_class == nullptr && !is_open) || (request.amount <= 0 && !request.is_open))
      continue;
    Backed& backed = backed_.emplace_back(request);
    backed.is_open = is_open || request.is_open || !device_class->may_select;
    if (device_class != nullptr) backed.served = to_request(request, device_class->name);
  }
  has_claims_ = inventory_->is_holder(space + "/" + object_name(workload.object));
}

Ternary PodClaims::serves(std::string_view resource, const PreparedNode& node) const {
  const bool is_backed = std::ranges::any_of(
      backed_, [&](const Backed& backed) { return backed.request.name == resource; });
  if (!is_backed || node.pool->source != NodePool::Source::node) return Ternary::no;
  const NodeResource* offer = node.find_resource(resource);
  if (offer == nullptr) return node.pool->resources_complete ? Ternary::yes : Ternary::unknown;
  return offer->is_open ? Ternary::unknown : ternary(offer->amount == 0);
}

/// The pod's claims and, as in the scheduler, one claim for all resources that the node's DRA
/// devices provide (Kubernetes 1.37, dynamicresources/extendeddynamicresources.go). The scheduler
/// requests devices for each container, with the same result: all of them may be any devices of the
/// class.
std::vector<dra::Claim> PodClaims::claims_on(const PreparedNode& node) const {
  std::vector<dra::Claim> claims = claims_;
  dra::Claim served;
  for (const Backed& backed : backed_) {
    const Ternary serves_it = serves(backed.request.name, node);
    if (serves_it == Ternary::no) continue;
    served.requests.push_back(backed.served);
    served.is_open = served.is_open || backed.is_open || serves_it == Ternary::unknown;
  }
  if (!served.requests.empty()) claims.push_back(std::move(served));
  return claims;
}

Ternary PodClaims::fits(const NodeDevices& devices, std::span<const dra::Claim> claims) const {
  const dra::Pools& pools = devices.pools;
  const bool is_node = devices.node->pool->source == NodePool::Source::node;
  const bool is_partial = std::ranges::any_of(
      pools.pools, [](const dra::Pool& pool) { return pool.is_incomplete || pool.is_invalid; });
  if (claims.empty()) return Ternary::yes;
  if (!is_node || pools.is_open || pools.pools.empty() || is_partial) return Ternary::unknown;
  const Ternary empty = to_ternary(dra::allocate(*inventory_, pools, claims, devices.view));
  if (!devices.left || has_claims_) return empty;
  // Devices in use can also help: they rule out an alternative with `All` that breaks a constraint.
  const auto left = dra::allocate(*inventory_, *devices.left, claims, devices.view);
  if (left.answer == dra::Allocation::Answer::yes) return Ternary::yes;
  return empty == Ternary::yes ? Ternary::unknown : empty;
}

Ternary PodClaims::fits(const NodeDevices& devices) const {
  return fits(devices, claims_on(*devices.node));
}

std::vector<cel::Selector::Demand> PodClaims::demands() const {
  std::vector<cel::Selector::Demand> found;
  for (const dra::Claim& claim : claims_) {
    if (claim.is_open) return {};
    for (const dra::Request& request : claim.requests) {
      if (std::ranges::any_of(request.alternatives, &dra::Wanted::all)) return {};
      const bool is_one = !request.is_choice && request.alternatives.size() == 1;
      if (!found.empty() || !is_one || request.alternatives.front().count < 1) continue;
      for (const dra::DeviceSelector& selector : request.alternatives.front().selectors) {
        std::ranges::move(selector.cel->demands(), std::back_inserter(found));
      }
    }
  }
  return found;
}

std::vector<UnservedClaim> PodClaims::unserved(const NodeDevices& devices) const {
  std::vector<UnservedClaim> unserved;
  for (const dra::Claim& claim : claims_) {
    const UnservedClaim entry{claim.name, node_, false, count_devices(claim)};
    if (fits(devices, std::span(&claim, 1)) == Ternary::no) return {entry};
    unserved.push_back(entry);
  }
  for (const Backed& backed : backed_) {
    if (serves(backed.request.name, *devices.node) != Ternary::yes) continue;
    dra::Claim claim;
    claim.requests = {backed.served};
    claim.is_open = backed.is_open;
    const UnservedClaim entry{backed.request.name, backed.request.node, true, count_devices(claim)};
    if (fits(devices, std::span(&claim, 1)) == Ternary::no) return {entry};
    unserved.push_back(entry);
  }
  return unserved;
}

}  // namespace gpulint
