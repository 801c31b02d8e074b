#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/flyte/config_value.h"
#include "compiler/flyte/read_config.h"
#include "compiler/flyte/viper.h"
#include "compiler/ir/node.h"

namespace gpulint::flyte {

/// Values as a chart's templates see them.
struct MergedValues {
  ConfigValue values;
  std::vector<LostValue> lost;          ///< What later layers replaced or deleted.
  std::vector<ConfigProblem> problems;  ///< Non-empty: Helm refuses the values.
};

/// Merges values files as Helm does it: later layers win, mappings merge, lists and scalars
/// replace; over the chart's own values, of which null deletes a key.
[[nodiscard]] MergedValues merge_values(std::span<const Node> layers, ConfigValue chart_values);

}  // namespace gpulint::flyte
