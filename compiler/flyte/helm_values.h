#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/config_value.h"
#include "compiler/flyte/helm_set.h"
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

/// How the message of a problem begins where Helm refuses a setting.
inline constexpr std::string_view helm_refuses_setting = "Helm cannot set this: ";

/// Merges values files as Helm does it: later layers win, mappings merge, lists and scalars
/// replace; then what is set by its path, in the order given; over the chart's own values, of which
/// null deletes a key.
[[nodiscard]] MergedValues merge_values(std::span<const Node> layers,
                                        std::span<const ValueSetting> settings,
                                        ConfigValue chart_values);

}  // namespace gpulint::flyte
