#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/config_value.h"
#include "compiler/model/settings.h"

namespace gpulint::flyte {

/// The part of a chart's own values that decides `plugins.k8s`, `task_resources` and which
/// configuration files there are.
[[nodiscard]] ConfigValue chart_values(FlyteChart chart, FlyteVersion version);

/// The top-level keys of the chart's own values: below them more may be set than chart_values()
/// knows.
[[nodiscard]] std::vector<std::string_view> chart_value_keys(FlyteChart chart);

/// `flyte-binary.fullname` of a release.
[[nodiscard]] std::string binary_name(const ConfigValue& values, std::string_view release);

}  // namespace gpulint::flyte
