#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/schedule/likely_devices.h"
#include "compiler/schedule/placement.h"
#include "compiler/schedule/pod_claims.h"

namespace gpulint::rules::unallocatable_claims {

/// The nodes that have devices at all, each with what it says of the pod.
struct Refusals {
  std::size_t count = 0;
  std::vector<Culprit> culprits;  ///< Of the first.
  const NodePool* first = nullptr;
  std::string devices;  ///< Of the first: `4 devices`, `4 × NVIDIA A10G`.
};

/// A node that has the devices, and what keeps the pod off it.
struct ClosedNode {
  const NodePool* pool = nullptr;
  std::vector<Reason> reasons;  ///< Those that surely hold; never empty.
};

/// A node with its devices, gathered once for all pods.
struct AskedNode {
  AskedNode(const NodePool& pool, const dra::Inventory& inventory)
      : node(pool), devices(node, inventory) {}

  PreparedNode node;
  NodeDevices devices;  ///< Points at `node`.
};

/// The nodes that claims are held against: Node objects with their slices, or, where no slice is
/// given, pools with what their machines likely have. The corpus must outlive it.
class Ground {
 public:
  explicit Ground(const Corpus& corpus);

  [[nodiscard]] bool is_likely() const { return !likely_.nodes.empty(); }
  [[nodiscard]] PodClaims claims_of(const Workload& workload) const;
  /// nullopt where some node may serve the claims.
  [[nodiscard]] std::optional<Refusals> refusals_of(const PodClaims& claims) const;
  /// The first of the nodes that could serve the claims, where all of those surely take no such
  /// pod; nullopt where one may, or where no node could. Of Node objects and their slices alone,
  /// by the corpus' placement.
  [[nodiscard]] std::optional<ClosedNode> closed_by_others(const PodClaims& claims,
                                                           const PreparedPod& pod) const;

 private:
  const Corpus* corpus_;
  ClaimSources sources_;
  LikelyNodes likely_;
  std::shared_ptr<const dra::Inventory> inventory_;
  std::deque<AskedNode> nodes_;
  std::unordered_map<const NodePool*, std::size_t> classes_;  // of the placement's known nodes
};

/// Reports a pod whose claims some nodes serve, where all of those are closed for another reason:
/// what is told of the pod alone sees nodes without devices that would take it. Nothing of a pod
/// of which another rule says that no node takes it. `claims`: those of the workload, not empty;
/// `ground`: of the corpus.
void check_closed(const Corpus& corpus, Reporter& reporter, const Ground& ground,
                  const PodClaims& claims, const Workload& workload);

}  // namespace gpulint::rules::unallocatable_claims
