#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/flyte_config.h"
#include "compiler/ir/node.h"

namespace gpulint::rules::gpu_visible_devices_bypass {

// Variables that choose GPUs, and who sets them.

/// Whether NVIDIA's container runtime shows devices for this value: not for `void`, `none`, "".
[[nodiscard]] bool makes_visible(std::string_view value);

/// The indices of a list like `0,2`; nullopt for anything else (UUIDs, `all`, nothing).
[[nodiscard]] std::optional<std::vector<std::int64_t>> read_indices(std::string_view list);

/// A variable that Flyte puts into every pod: `default-env-vars`, `default-env-vars-from-env`.
struct FlyteVariable {
  Node node;          ///< Its name.
  std::string name;   ///< As pods get it: Flyte's loader may have changed letter case.
  std::string value;  ///< `$NAME` where it is taken from propeller's own environment.
};
/// Those that are written out and in a file.
[[nodiscard]] std::vector<FlyteVariable> flyte_variables(const flyte::K8sPluginConfig& config);

}  // namespace gpulint::rules::gpu_visible_devices_bypass
