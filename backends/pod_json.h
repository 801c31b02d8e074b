#pragma once

#include <nlohmann/json.hpp>

#include "compiler/flyte/inject.h"

namespace gpulint {

/// A compiled pod's spec as the Kubernetes API shows it; empty fields are absent. To be included by
/// this folder's sources only.
[[nodiscard]] nlohmann::ordered_json pod_spec_json(const flyte::CompiledPod& pod);

/// The pod's labels.
[[nodiscard]] nlohmann::ordered_json pod_labels_json(const flyte::CompiledPod& pod);

}  // namespace gpulint
