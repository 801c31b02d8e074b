#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/api_validation/api_problem.h"
#include "compiler/ir/node.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

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
