#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/dra/allocate.h"
#include "compiler/model/corpus.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/predicates.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// The slices and classes among objects. `slices` is empty where no driver has published any.
[[nodiscard]] std::shared_ptr<const dra::Inventory> read_inventory(
    std::span<const KubernetesObject> objects);
/// A node and the devices that it can reach, gathered once for all that is asked of them. The node
/// and the inventory must outlive it.
struct NodeDevices {
  NodeDevices(const PreparedNode& asked, const dra::Inventory& inventory);

  const PreparedNode* node;
  dra::NodeView view;
  dra::Pools pools;
};

/// The resource claims of a pod, all of them together.
class PodClaims {
 public:
  PodClaims(const Workload& workload, std::span<const KubernetesObject> objects,
            std::shared_ptr<const dra::Inventory> inventory);

  /// Whether a node where nothing else runs has devices for all of them. Open where the node is no
  /// Node object, has no devices in slices, or has pools whose slices are not all there.
  [[nodiscard]] Ternary fits(const NodeDevices& devices) const;
  /// Where they do not fit: the claim that does not by itself, or else all of them.
  [[nodiscard]] std::vector<std::string> culprits(const NodeDevices& devices) const;
  [[nodiscard]] Node node() const { return node_; }  ///< spec.resourceClaims
  [[nodiscard]] std::span<const dra::Claim> claims() const { return claims_; }
  [[nodiscard]] const dra::Inventory& inventory() const { return *inventory_; }

 private:
  [[nodiscard]] Ternary fits(const NodeDevices& devices, std::span<const dra::Claim> claims) const;

  Node node_;
  std::vector<dra::Claim> claims_;  ///< Each by the name that the pod has for it.
  std::shared_ptr<const dra::Inventory> inventory_;
};

/// Gives each pod that has claims what it takes to allocate them. `pods` are the workloads'.
void attach_claims(std::span<const Workload* const> workloads, std::span<PreparedPod> pods,
                   std::span<const KubernetesObject> objects);

}  // namespace gpulint
