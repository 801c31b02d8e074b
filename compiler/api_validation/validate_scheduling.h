#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/api_validation/api_problem.h"
#include "compiler/ir/node.h"
#include "compiler/model/cluster.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// The API server's checks of what decides where a pod runs. Nothing is said about opaque fields.

void validate_tolerations(const std::vector<Toleration>& tolerations, const std::string& path,
                          ApiReport& report);
/// RuntimeClasses refuse the same toleration twice.
void validate_unique_tolerations(const std::vector<Toleration>& tolerations,
                                 const std::string& path, ApiReport& report);
void validate_taints(const std::vector<Taint>& taints, const std::string& path, ApiReport& report);
void validate_node_affinity(const NodeAffinity& affinity, const std::string& path,
                            ApiReport& report);
/// Labels, a node selector or `matchLabels`: the path is that of the whole map, as the server's is.
void validate_labels(const std::vector<LabelEntry>& labels, const std::string& path,
                     ApiReport& report);

/// The text of a field where it is certain; absent is "". Of a field that goes at once, a copy.
[[nodiscard]] std::optional<std::string_view> certain_text(const Field<std::string>& field);
[[nodiscard]] std::optional<std::string> certain_text(Field<std::string>&& field);
/// Complaints about one label key or value.
void validate_label_key(Node node, std::string_view key, const std::string& path, ApiIssue issue,
                        ApiReport& report);

/// A `metav1.LabelSelector`.
void validate_label_selector(Node selector, const std::string& path, ApiReport& report);

/// Whether a LabelSelector can be used, and whether it matches the labels. A missing one matches
/// nothing, an empty one everything.
struct SelectorMatch {
  bool is_valid = true;
  bool is_empty = false;
  Ternary matches = Ternary::no;
};

[[nodiscard]] SelectorMatch match_label_selector(Node selector,
                                                 const std::vector<LabelEntry>& labels);

/// Labels as JSON, keys sorted; `null` where there are none.
[[nodiscard]] std::string labels_json(const std::vector<LabelEntry>& labels);

}  // namespace gpulint
