#pragma once

#include <string>

#include "compiler/flyte/config_value.h"
#include "compiler/flyte/inject.h"

namespace gpulint::flyte {

/// A compiled pod's spec as in the Kubernetes API, without empty fields. An unknown value is its
/// text, a computed amount null.
[[nodiscard]] ConfigValue pod_spec_value(const CompiledPod& pod);

/// The pod's labels; an empty map if it has none.
[[nodiscard]] ConfigValue pod_labels_value(const CompiledPod& pod);

/// The pod as JSON that the API server would accept. The container's image, which is part of the
/// task, is made up.
[[nodiscard]] std::string pod_manifest(const CompiledPod& pod);

}  // namespace gpulint::flyte
