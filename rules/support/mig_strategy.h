#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "compiler/model/corpus/corpus.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules {

/// The MIG strategy under which nodes offer their partitions, and how that is known.
struct MigStrategy {
  enum class Kind : std::uint8_t { none, single, mixed, gke };
  Kind kind =
      Kind::single;  ///< `gke`: its own plugin, which offers partitions as `nvidia.com/gpu`.
  std::string text;  ///< ``MIG strategy `single` ``, `GKE`.
  Node where;        ///< What tells it; may be nothing.

  /// Whether partitions have names of their own: `nvidia.com/mig-1g.5gb`.
  [[nodiscard]] bool names_partitions() const { return kind == Kind::mixed; }
};

/// The strategies that a corpus' workloads meet. What all workloads share is found out once.
class MigStrategies {
 public:
  explicit MigStrategies(const Corpus& corpus);

  /// As the pod's own selector demands it, else as declared, else what all nodes say that tell it,
  /// else what the provider does on its own. nullopt: not known.
  [[nodiscard]] std::optional<MigStrategy> of(const Workload& workload) const;

  /// Whether a missing resource is for mig-strategy-mismatch to tell, and not for
  /// resource-not-offered: partitions are asked for by name where they have none, or the reverse.
  [[nodiscard]] bool explains(const Cause& cause) const;

 private:
  std::optional<MigStrategy> shared_;
  std::set<MigStrategy::Kind> told_;  // by nodes
};

/// The strategy that a ClusterPolicy or values of NVIDIA's operator set (`mig.strategy`); nothing
/// where none does, or two differ.
[[nodiscard]] std::optional<MigStrategy> strategy_of_operator(const Corpus& corpus);

/// The strategy that a node's label tells.
[[nodiscard]] std::optional<MigStrategy> strategy_of(const NodePool& pool);

}  // namespace gpulint::rules
