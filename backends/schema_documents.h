#pragma once

#include "backends/json_schema.h"

namespace gpulint {

/// The schema of gpulint.yaml, from the table of its keys.
[[nodiscard]] SchemaDocument config_schema();

/// The schema of the GPU part of Flyte's values and configuration, from Flyte's own structs.
[[nodiscard]] SchemaDocument flyte_values_schema();

}  // namespace gpulint
