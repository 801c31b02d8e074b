#pragma once

#include <vector>

#include "compiler/flyte/flyte_config.h"

namespace gpulint::rules {

// What several rules ask of Flyte's `plugins.k8s`. Pointers are valid as long as the configuration.

/// Every toleration that the section can inject, in the order of its keys.
[[nodiscard]] std::vector<const Toleration*> all_tolerations(const flyte::K8sPluginConfig& config);

/// Every single requirement that the section can inject; those of default-affinity are not among
/// them.
[[nodiscard]] std::vector<const SelectorRequirement*> all_requirements(
    const flyte::K8sPluginConfig& config);

/// Every text of the section beside those of tolerations and requirements: names, labels to look
/// at, values of node selectors.
[[nodiscard]] std::vector<const Field<std::string>*> all_single_texts(
    const flyte::K8sPluginConfig& config);

}  // namespace gpulint::rules
