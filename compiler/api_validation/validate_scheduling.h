#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/api_validation/api_problem.h"
#include "compiler/ir/node.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// The API server's checks of fields that decide where a pod runs. Opaque fields are not checked.

void validate_tolerations(const std::vector<Toleration>& tolerations, const std::string& path,
                          ApiReport& report);
/// RuntimeClasses reject the same toleration twice.
void validate_unique_tolerations(const std::vector<Toleration>& tolerations,
                                 const std::string& path, ApiReport& report);
void validate_taints(const std::vector<Taint>& taints, const std::string& path, ApiReport& report);
void validate_node_affinity(const NodeAffinity& affinity, const std::string& path,
                            ApiReport& report);
/// Labels, a node selector or `matchLabels`: the path is that of the whole map, as in the server.
void validate_labels(const std::vector<LabelEntry>& labels, const std::string& path,
                     ApiReport& report);

/// The text of a field if it is certain; absent is "". Returns a copy for a temporary field.
[[nodiscard]] std::optional<std::string_view> certain_text(const Field<std::string>& field);
[[nodiscard]] std::optional<std::string> certain_text(Field<std::string>&& field);
/// Checks one label key or value.
void validate_label_key(Node node, std::string_view key, const std::string& path, ApiIssue issue,
                        ApiReport& report);

/// A `metav1.LabelSelector`.
void validate_label_selector(Node selector, const std::string& path, ApiReport& report);

/// Whether a LabelSelector is valid, and whether it matches the labels. A missing selector matches
/// nothing, an empty one everything.
struct SelectorMatch {
  bool is_valid = true;
  bool is_empty = false;
  Ternary matches = Ternary::no;
};

[[nodiscard]] SelectorMatch match_label_selector(Node selector,
                                                 const std::vector<LabelEntry>& labels);

/// Labels as JSON with sorted keys; `null` if there are none.
[[nodiscard]] std::string labels_json(const std::vector<LabelEntry>& labels);

}  // namespace gpulint
