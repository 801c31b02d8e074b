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
/// Whether a NodeSelector matches the node, asked for devices.
[[nodiscard]] dra::NodeView device_view(const PreparedNode& node);

/// The resource claims of a pod, all of them together.
class PodClaims {
 public:
  PodClaims(const Workload& workload, std::span<const KubernetesObject> objects,
            std::shared_ptr<const dra::Inventory> inventory);

  /// Whether a node where nothing else runs has devices for all of them. Open where the node is no
  /// Node object, has no devices in slices, or has pools whose slices are not all there.
  [[nodiscard]] Ternary fits(const PreparedNode& node) const;
  /// Where they do not fit: the claim that does not by itself, or all of them: `a`, `a and b`.
  [[nodiscard]] std::string culprit(const PreparedNode& node) const;
  [[nodiscard]] Node node() const { return node_; }  ///< spec.resourceClaims
  [[nodiscard]] std::span<const dra::Claim> claims() const { return claims_; }
  [[nodiscard]] const dra::Inventory& inventory() const { return *inventory_; }

 private:
  [[nodiscard]] Ternary fits(const PreparedNode& node, std::span<const dra::Claim> claims) const;

  Node node_;
  std::vector<dra::Claim> claims_;  ///< Each by the name that the pod has for it.
  std::shared_ptr<const dra::Inventory> inventory_;
};

/// Gives each pod that has claims what it takes to allocate them. `pods` are the workloads'.
void attach_claims(std::span<const Workload* const> workloads, std::span<PreparedPod> pods,
                   std::span<const KubernetesObject> objects);

}  // namespace gpulint
