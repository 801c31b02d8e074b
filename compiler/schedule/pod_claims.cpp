#include "compiler/schedule/pod_claims.h"

#include <algorithm>

#include "compiler/dra/review.h"
#include "compiler/model/go_json.h"
#include "compiler/model/objects.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_kind(const KubernetesObject& object, std::string_view kind) {
  return object.kind.equals(std::string(kind)) &&
         object.api_version.value_or("resource.k8s.io/").starts_with("resource.k8s.io/");
}

/// The claim or template of that name; open where it is not among the objects.
[[nodiscard]] dra::Claim find_claim(std::span<const KubernetesObject> objects,
                                    std::string_view kind, const std::string& name,
                                    const std::string& space) {
  for (const KubernetesObject& object : objects) {
    if (!is_kind(object, kind) || object_name(object.node) != name) continue;
    if (object_namespace(object.node) == space) return dra::read_claim(object.node);
  }
  dra::Claim unknown;
  unknown.is_open = true;
  return unknown;
}

/// What an entry of spec.resourceClaims stands for.
[[nodiscard]] dra::Claim read_entry(Node entry, std::span<const KubernetesObject> objects,
                                    const std::string& space) {
  const Field<std::string> name = decode_string(entry.get("resourceClaimName"));
  const Field<std::string> from = decode_string(entry.get("resourceClaimTemplateName"));
  dra::Claim claim;
  if (name.is_known() == from.is_known()) {
    claim.is_open = true;
  } else if (name.is_known()) {
    claim = find_claim(objects, "ResourceClaim", name.value(), space);
  } else {
    claim = find_claim(objects, "ResourceClaimTemplate", from.value(), space);
  }
  claim.name = decode_string(entry.get("name")).value_or("");
  return claim;
}

/// What tells whether a NodeSelector matches the node.
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

}  // namespace

std::shared_ptr<const dra::Inventory> read_inventory(std::span<const KubernetesObject> objects) {
  std::vector<dra::Slice> slices;
  std::vector<dra::DeviceClass> classes;
  for (const KubernetesObject& object : objects) {
    if (is_kind(object, "ResourceSlice")) {
      slices.push_back(dra::read_slice(object.node));
    } else if (is_kind(object, "DeviceClass")) {
      classes.push_back(dra::read_device_class(object.node));
    }
  }
  return std::make_shared<const dra::Inventory>(std::move(slices), std::move(classes));
}

NodeDevices::NodeDevices(const PreparedNode& asked, const dra::Inventory& inventory)
    : node(&asked), view(view_of(asked)), pools(dra::gather_pools(inventory, view)) {}

PodClaims::PodClaims(const Workload& workload, std::span<const KubernetesObject> objects,
                     std::shared_ptr<const dra::Inventory> inventory)
    : node_(workload.pod.node.get("resourceClaims")), inventory_(std::move(inventory)) {
  const std::string space = object_namespace(workload.object);
  for (const Node entry : node_.items()) claims_.push_back(read_entry(entry, objects, space));
  if (node_.is_opaque()) claims_.emplace_back().is_open = true;
  // A class that selects none of the devices at hand may be a driver's whose slices are missing.
  for (dra::Claim& claim : claims_) {
    for (const dra::Request& request : claim.requests) {
      for (const dra::Wanted& wanted : request.alternatives) {
        if (!dra::selects_any(*inventory_, wanted.device_class)) claim.is_open = true;
      }
    }
  }
}

Ternary PodClaims::fits(const NodeDevices& devices, std::span<const dra::Claim> claims) const {
  const dra::Pools& pools = devices.pools;
  const bool is_node = devices.node->pool->source == NodePool::Source::node;
  const bool is_partial = std::ranges::any_of(
      pools.pools, [](const dra::Pool& pool) { return pool.is_incomplete || pool.is_invalid; });
  if (!is_node || pools.is_open || pools.pools.empty() || is_partial) return Ternary::unknown;
  switch (dra::allocate(*inventory_, pools, claims, devices.view).answer) {
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

Ternary PodClaims::fits(const NodeDevices& devices) const { return fits(devices, claims_); }

std::vector<std::string> PodClaims::culprits(const NodeDevices& devices) const {
  std::vector<std::string> names;
  for (const dra::Claim& claim : claims_) {
    if (fits(devices, std::span(&claim, 1)) == Ternary::no) return {claim.name};
    names.push_back(claim.name);
  }
  return names;
}

void attach_claims(std::span<const Workload* const> workloads, std::span<PreparedPod> pods,
                   std::span<const KubernetesObject> objects) {
  std::shared_ptr<const dra::Inventory> inventory;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    if (pods[i].spec->resource_claims.empty()) continue;
    if (inventory == nullptr) inventory = read_inventory(objects);
    pods[i].claims = std::make_shared<const PodClaims>(*workloads[i], objects, inventory);
  }
}

}  // namespace gpulint
