#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/cel/selector.h"
#include "compiler/model/dra/allocate.h"
#include "compiler/model/scope/scope_model.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/pod_requests.h"
#include "compiler/schedule/prepared_node.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// The slices, classes, taint rules and allocated claims among the objects.
[[nodiscard]] dra::Stock read_stock(std::span<const KubernetesObject> objects);
/// Whether there are DeviceClasses, which may back extended resources.
[[nodiscard]] bool has_device_classes(std::span<const KubernetesObject> objects);
/// The same as an inventory. Without slices, it has no devices.
[[nodiscard]] std::shared_ptr<const dra::Inventory> read_inventory(
    std::span<const KubernetesObject> objects);

/// A node with the devices that it can reach, collected once. The node and the inventory must
/// outlive it.
struct NodeDevices {
  NodeDevices(const PreparedNode& asked, const dra::Inventory& inventory);

  const PreparedNode* node;
  dra::NodeView view;
  dra::Pools pools;                ///< As if no claim had devices.
  std::optional<dra::Pools> left;  ///< What allocated claims leave; nullopt if there are none.
};

/// A claim (by its name in the pod) or resource for which there are no devices.
struct UnservedClaim {
  std::string name;
  Node node;  ///< spec.resourceClaims, or the resource's key.
  bool is_resource = false;
  /// How many devices it needs; nullopt if that is unknown or depends on the node.
  std::optional<std::int64_t> devices = std::nullopt;
};

/// The sources of pods' claims: claims, templates and ComputeDomains by name. The objects must
/// outlive it.
class ClaimSources {
 public:
  explicit ClaimSources(std::span<const KubernetesObject> objects);

  /// The claim or template of that name, also one that a ComputeDomain creates; unknown if it is
  /// not among the objects.
  [[nodiscard]] dra::Claim find(std::string_view kind, const std::string& name,
                                const std::string& space) const;

 private:
  std::map<std::tuple<std::string, std::string, std::string>, Node> by_name_;  // kind, namespace
  std::set<std::pair<std::string, std::string>> domain_templates_;             // namespace, name
};

/// All resource claims of a pod, and the extended resources that a DeviceClass provides: if no
/// device plugin of a node offers these, its DRA devices are used.
class PodClaims {
 public:
  PodClaims(const Workload& workload, const PodRequests& requests, const ClaimSources& sources,
            std::shared_ptr<const dra::Inventory> inventory);

  [[nodiscard]] bool is_empty() const { return claims_.empty() && backed_.empty(); }
  /// Whether the node's DRA devices provide the resource, which is then not counted.
  [[nodiscard]] Ternary serves(std::string_view resource, const PreparedNode& node) const;
  /// Whether an empty node has devices for all of them. Unknown if the node is not a Node object,
  /// has no devices in slices, or has pools with missing slices, and if enough devices exist but
  /// other claims have them.
  [[nodiscard]] Ternary fits(const NodeDevices& devices) const;
  /// If they do not fit: the one that does not fit alone, else all.
  [[nodiscard]] std::vector<UnservedClaim> unserved(const NodeDevices& devices) const;
  /// What one of the requests requires of its devices: without such a device the claims cannot be
  /// allocated. Empty if there is no such request, or if it is unknown.
  [[nodiscard]] std::vector<cel::Selector::Demand> demands() const;
  [[nodiscard]] const dra::Inventory& inventory() const { return *inventory_; }

 private:
  /// A resource that the pod requests and a DeviceClass provides.
  struct Backed {
    PodRequest request;
    dra::Request served;
    bool is_open = false;
  };

  [[nodiscard]] std::vector<dra::Claim> claims_on(const PreparedNode& node) const;
  [[nodiscard]] Ternary fits(const NodeDevices& devices, std::span<const dra::Claim> claims) const;

  Node node_;                       ///< spec.resourceClaims
  std::vector<dra::Claim> claims_;  ///< Named as in the pod.
  std::vector<Backed> backed_;
  bool has_claims_ = false;  ///< Devices are allocated to the pod: not an obstacle.
  std::shared_ptr<const dra::Inventory> inventory_;
};

}  // namespace gpulint
