#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "compiler/engine/corpus.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules {

/// The MIG strategy of the nodes, and how it is known.
struct MigStrategy {
  enum class Kind : std::uint8_t { none, single, mixed, gke };
  Kind kind =
      Kind::single;  ///< `gke`: its own plugin, which offers partitions as `nvidia.com/gpu`.
  std::string text;  ///< ``MIG strategy `single` ``, `GKE`.
  Node where;        ///< The place that shows it; may be nothing.

  /// Whether partitions have names of their own: `nvidia.com/mig-1g.5gb`.
  [[nodiscard]] bool names_partitions() const { return kind == Kind::mixed; }
};

/// The strategies of the nodes that workloads run on. What all workloads share is computed once.
class MigStrategies {
 public:
  explicit MigStrategies(const Corpus& corpus);

  /// By the pod's own selector, else as declared, else by the nodes that show one, else by the
  /// provider's default. nullopt if unknown.
  [[nodiscard]] std::optional<MigStrategy> of(const Workload& workload) const;

  /// Whether mig-strategy-mismatch reports a missing resource, and resource-not-offered does not:
  /// partitions are requested by name where they have none, or the reverse.
  [[nodiscard]] bool explains(const Cause& cause) const;

 private:
  std::optional<MigStrategy> shared_;
  std::set<MigStrategy::Kind> told_;  // shown by nodes
};

/// The strategy in a ClusterPolicy or values of the GPU Operator (`mig.strategy`); nothing if there
/// is none, or if two differ.
[[nodiscard]] std::optional<MigStrategy> strategy_of_operator(const Corpus& corpus);

/// The strategy in a node's label.
[[nodiscard]] std::optional<MigStrategy> strategy_of(const NodePool& pool);

}  // namespace gpulint::rules
