#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/edit/edits.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules {

/// A label that nodes have: `key=value`, or the key alone.
struct MeantLabel {
  const std::string& key;
  const std::string& value;
  [[nodiscard]] std::string text() const {
    return value.empty() ? key : fmt::format("{}={}", key, value);
  }
};

/// Corrects the label of the cause (an UnmatchedRequirement) in place. No edits if that is not
/// possible, or if the written text differs from the compiled one.
[[nodiscard]] std::vector<Edit> correct_labels(const SourceSet& sources, const Cause& cause,
                                               const MeantLabel& meant);

/// Renames a resource in the limits and requests of all containers. No edits if a map with it also
/// has the new name, or if one place cannot be edited.
[[nodiscard]] std::vector<Edit> rename_resource(const SourceSet& sources, const PodSpec& pod,
                                                std::string_view name, std::string_view new_name);

/// Moves an amount next to `limits` into it; without `limits`, moves it and the amounts after it
/// below a new one.
[[nodiscard]] std::vector<Edit> move_to_limits(const SourceSet& sources, Node amount);

/// A toleration of exactly one taint; any value if it is empty.
struct NewToleration {
  std::string key;
  std::string value;
  std::string effect;
};

/// Adds tolerations to a manifest's pod: to its list, or as a new one. No edits if the layout does
/// not allow it.
[[nodiscard]] std::vector<Edit> add_tolerations(const SourceSet& sources, const PodSpec& pod,
                                                const std::vector<NewToleration>& tolerations);

/// Sets the value of a toleration; no edits if the written text differs from the compiled one.
[[nodiscard]] std::vector<Edit> correct_value(const SourceSet& sources,
                                              const Toleration& toleration,
                                              const std::string& value);

/// Adds tolerations to Flyte's `resource-tolerations` for a resource. `anchor` is that list or map,
/// or the `k8s` section that lacks it.
[[nodiscard]] std::vector<Edit> add_resource_tolerations(
    const SourceSet& sources, Node anchor, const std::string& resource,
    const std::vector<NewToleration>& tolerations);

/// The items of a list, in the style of the document around `near`.
[[nodiscard]] std::vector<ListItem> toleration_items(Node near,
                                                     const std::vector<NewToleration>& tolerations);

}  // namespace gpulint::rules
