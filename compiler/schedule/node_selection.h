#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "compiler/model/workload.h"
#include "compiler/schedule/node_labels.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// One requirement of a node selector term. Views point into the PodSpec.
struct NodeRequirement {
  enum class Operator : std::uint8_t {
    in,
    not_in,
    exists,
    does_not_exist,
    greater_than,
    less_than,
    open,     ///< A part of it is unknown.
    invalid,  ///< The scheduler cannot parse it; its term never matches.
  };
  Operator op = Operator::open;
  std::string_view key;
  std::vector<std::string_view> values;
  bool has_open_values = false;
  std::int64_t bound = 0;  ///< Of `Gt` and `Lt`.
  const SelectorRequirement* source = nullptr;
};

struct NodeTerm {
  std::vector<NodeRequirement> labels;
  std::vector<NodeRequirement> fields;
  bool is_invalid = false;
  const SelectorTerm* source = nullptr;
};

/// A pod's nodeSelector and required node affinity, prepared to be matched with many nodes.
struct NodeSelection {
  const PodSpec* pod = nullptr;
  std::vector<NodeTerm> terms;  ///< Without empty terms, which match nothing.
};
[[nodiscard]] NodeSelection prepare_node_selection(const PodSpec& pod);

/// One term of a preferred or required affinity.
[[nodiscard]] NodeTerm prepare_term(const SelectorTerm& term);

/// Whether the labels meet an entry of the nodeSelector.
[[nodiscard]] Ternary matches(const LabelEntry& entry, const NodeLabels& labels);
[[nodiscard]] Ternary matches(const NodeRequirement& requirement, const NodeLabels& labels);
/// The name of a node. If it is empty, `matchFields` do not count, as in the scheduler. `is_open`:
/// the name is unknown.
struct NodeName {
  std::string_view text;
  bool is_open = false;
};
[[nodiscard]] Ternary matches(const NodeTerm& term, const NodeLabels& labels, NodeName name);

/// Whether the required affinity matches. `has_error`: no term matches, and one cannot be parsed.
struct AffinityMatch {
  Ternary holds = Ternary::yes;
  bool has_error = false;
};
[[nodiscard]] AffinityMatch match_affinity(const NodeSelection& selection, const NodeLabels& labels,
                                           NodeName name);

}  // namespace gpulint
