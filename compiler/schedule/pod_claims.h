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

/// Slices, classes, taint rules and allocated claims among objects.
[[nodiscard]] dra::Stock read_stock(std::span<const KubernetesObject> objects);
/// Whether there are DeviceClasses, which may back extended resources.
[[nodiscard]] bool has_device_classes(std::span<const KubernetesObject> objects);
/// Those as an inventory. Without slices no driver has published any.
[[nodiscard]] std::shared_ptr<const dra::Inventory> read_inventory(
    std::span<const KubernetesObject> objects);

/// A node and the devices that it can reach, gathered once for all that is asked of them. The node
/// and the inventory must outlive it.
struct NodeDevices {
  NodeDevices(const PreparedNode& asked, const dra::Inventory& inventory);

  const PreparedNode* node;
  dra::NodeView view;
  dra::Pools pools;                ///< As if no claim had got any of them.
  std::optional<dra::Pools> left;  ///< Where claims have got some: what they leave.
};

/// What does not find devices: a claim by the pod's name for it, or a resource.
struct Culprit {
  std::string name;
  Node node;  ///< spec.resourceClaims, or the resource's key.
  bool is_resource = false;
};

/// Where pods' claims come from: claims, templates and ComputeDomains by name. The objects must
/// outlive it.
class ClaimSources {
 public:
  explicit ClaimSources(std::span<const KubernetesObject> objects);

  /// The claim or template of that name, one that a ComputeDomain makes among them; open where it
  /// is not among the objects.
  [[nodiscard]] dra::Claim find(std::string_view kind, const std::string& name,
                                const std::string& space) const;

 private:
  std::map<std::tuple<std::string, std::string, std::string>, Node> by_name_;  // kind, namespace
  std::set<std::pair<std::string, std::string>> domain_templates_;             // namespace, name
};

/// The resource claims of a pod, all of them together, and the extended resources that device
/// classes back: where a node's device plugins have none of those, its devices serve.
class PodClaims {
 public:
  PodClaims(const Workload& workload, const PodRequests& requests, const ClaimSources& sources,
            std::shared_ptr<const dra::Inventory> inventory);

  [[nodiscard]] bool is_empty() const { return claims_.empty() && backed_.empty(); }
  /// Whether the node's devices serve the resource, which is not counted then.
  [[nodiscard]] Ternary serves(std::string_view resource, const PreparedNode& node) const;
  /// Whether a node where nothing else runs has devices for all of them. Open where the node is no
  /// Node object, has no devices in slices, or has pools whose slices are not all there, and where
  /// it has devices enough, but other claims have got them.
  [[nodiscard]] Ternary fits(const NodeDevices& devices) const;
  /// Where they do not fit: the one that does not by itself, or else all of them.
  [[nodiscard]] std::vector<Culprit> culprits(const NodeDevices& devices) const;
  /// What one of the requests demands of its devices: where no device meets it, nothing serves the
  /// claims. Empty where there is no such request, or no answer that is certain.
  [[nodiscard]] std::vector<cel::Selector::Demand> demands() const;
  [[nodiscard]] const dra::Inventory& inventory() const { return *inventory_; }

 private:
  /// A resource that the pod requests and a class backs.
  struct Backed {
    PodRequest request;
    dra::Request served;
    bool is_open = false;
  };

  [[nodiscard]] std::vector<dra::Claim> claims_on(const PreparedNode& node) const;
  [[nodiscard]] Ternary fits(const NodeDevices& devices, std::span<const dra::Claim> claims) const;

  Node node_;                       ///< spec.resourceClaims
  std::vector<dra::Claim> claims_;  ///< Each by the name that the pod has for it.
  std::vector<Backed> backed_;
  bool has_claims_ = false;  ///< Of its own, which were made for it: they are no obstacle.
  std::shared_ptr<const dra::Inventory> inventory_;
};

}  // namespace gpulint
