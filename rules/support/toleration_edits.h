#pragma once

#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/edit/edits.h"
#include "compiler/model/workload.h"

namespace gpulint::rules {

/// Of exactly one taint; any value where it is empty.
struct NewToleration {
  std::string key;
  std::string value;
  std::string effect;
};

/// Adds tolerations to a manifest's pod: to its list, or as a new one. No edits where the layout
/// does not allow it.
[[nodiscard]] std::vector<Edit> add_tolerations(const SourceSet& sources, const PodSpec& pod,
                                                const std::vector<NewToleration>& tolerations);

/// Gives a toleration that is there the value; no edits where what was compiled is not what is
/// written.
[[nodiscard]] std::vector<Edit> correct_value(const SourceSet& sources,
                                              const Toleration& toleration,
                                              const std::string& value);

/// Adds tolerations to Flyte's `resource-tolerations` for a resource. `anchor` is that list or map,
/// or the `k8s` section that lacks it.
[[nodiscard]] std::vector<Edit> add_resource_tolerations(
    const SourceSet& sources, Node anchor, const std::string& resource,
    const std::vector<NewToleration>& tolerations);

/// As items of a list, for the style of the document around `near`.
[[nodiscard]] std::vector<ListItem> toleration_items(Node near,
                                                     const std::vector<NewToleration>& tolerations);

}  // namespace gpulint::rules
