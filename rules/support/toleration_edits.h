#pragma once

#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/model/workload.h"

namespace gpulint::rules {

/// Adds a toleration of exactly this taint to a manifest's pod: to its list, or as a new one. No
/// edits where the layout does not allow it.
[[nodiscard]] std::vector<Edit> add_toleration(const SourceSet& sources, const PodSpec& pod,
                                               const std::string& key, const std::string& value,
                                               const std::string& effect);

/// Gives a toleration that is there the value; no edits where what was compiled is not what is
/// written.
[[nodiscard]] std::vector<Edit> correct_value(const SourceSet& sources,
                                              const Toleration& toleration,
                                              const std::string& value);

/// Adds such a toleration to Flyte's `resource-tolerations` for a resource. `anchor` is that list
/// or map, or the `k8s` section that lacks it.
[[nodiscard]] std::vector<Edit> add_resource_toleration(const SourceSet& sources, Node anchor,
                                                        const std::string& resource,
                                                        const std::string& key,
                                                        const std::string& value,
                                                        const std::string& effect);

/// The `key: value` lines of such a toleration, for the style of the document around `near`.
[[nodiscard]] std::vector<std::string> toleration_lines(Node near, const std::string& key,
                                                        const std::string& value,
                                                        const std::string& effect);

}  // namespace gpulint::rules
