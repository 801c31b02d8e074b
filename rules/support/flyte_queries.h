#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/engine/reporter.h"
#include "compiler/flyte/flyte_config.h"

namespace gpulint::rules {

// What several rules ask of Flyte's `plugins.k8s`. Pointers are valid as long as the configuration.

/// Every toleration that the section can inject, in the order of its keys.
[[nodiscard]] std::vector<const Toleration*> all_tolerations(const flyte::K8sPluginConfig& config);

/// Every single requirement that the section can inject; those of default-affinity are not among
/// them.
[[nodiscard]] std::vector<const SelectorRequirement*> all_requirements(
    const flyte::K8sPluginConfig& config);

/// Why Flyte does not start with this `plugins.k8s`, or with a file that is no mapping: of several
/// problems in one mapping the first, since they have one cause.
[[nodiscard]] std::vector<flyte::ConfigProblem> distinct_problems(const flyte::FlyteConfig& config);

/// Every text of the section beside those of tolerations and requirements: names, labels to look
/// at, values of node selectors.
[[nodiscard]] std::vector<const Field<std::string>*> all_single_texts(
    const flyte::K8sPluginConfig& config);

/// A scalar that Flyte holds otherwise than it is written: `true` → `1`. Not where the letter case
/// alone differs, as in keys that it lower-cases.
[[nodiscard]] bool is_converted(const Field<std::string>& text);

/// Any key of `plugins.k8s`, whatever it is about, also where a path stands in one key:
/// `co-pilot.name`, `k8s.default-cpus`. Flyte reads no key with dots as a path.
[[nodiscard]] bool is_flyte_plugin_key(std::string_view written);
/// Keys that mean nothing but Flyte's `plugins.k8s`, wherever they stand.
[[nodiscard]] bool is_flyte_gpu_key(std::string_view written);

/// A node selector requirement in the form of a toleration: `operator: Equal` with `value: x`, or
/// an operator that stands as the value. Flyte drops `value`, and the API server refuses the rest.
struct TolerationForm {
  Node op;
  Node value;
  std::string_view meant;  ///< The operator that is meant.
};
[[nodiscard]] std::optional<TolerationForm> find_toleration_form(Node requirement);
/// Reports it and offers to correct it.
Finding report_form(const SourceSet& sources, Reporter& reporter, const TolerationForm& form,
                    Safety safety);

}  // namespace gpulint::rules
