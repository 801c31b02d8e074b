#pragma once

#include <string>

#include "compiler/flyte/config_value.h"
#include "compiler/flyte/inject.h"

namespace gpulint::flyte {

/// A compiled pod's spec as the Kubernetes API shows it; empty fields are absent. A value that is
/// not known is its text.
[[nodiscard]] ConfigValue pod_spec_value(const CompiledPod& pod);

/// The pod's labels; a map without entries where it has none.
[[nodiscard]] ConfigValue pod_labels_value(const CompiledPod& pod);

/// The pod as JSON that the API server would read; a container's image, which tasks bring along, is
/// made up.
[[nodiscard]] std::string pod_manifest(const CompiledPod& pod);

}  // namespace gpulint::flyte
