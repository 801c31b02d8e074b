#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/model/corpus.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules::unmatched_node_selector {

/// A label that stands in the declaration of a pool where no node gets it: among tags of machines,
/// or on the declaring object itself.
struct StrayLabel {
  const NodePool* pool = nullptr;
  Node key;
  std::string where;      ///< The mapping that holds it: `spec.cloudLabels`.
  std::string_view home;  ///< From where nodes of such a pool get labels: `spec.nodeLabels`.
};

/// What is demanded, as some pool has it in the wrong place; nothing where none has.
[[nodiscard]] std::optional<StrayLabel> find_stray_label(const Corpus& corpus,
                                                         const UnmatchedRequirement& unmatched);

}  // namespace gpulint::rules::unmatched_node_selector
