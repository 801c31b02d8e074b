#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/config_value.h"
#include "compiler/flyte/read_config.h"
#include "compiler/flyte/viper.h"
#include "compiler/ir/node.h"
#include "compiler/model/gitops/release_layers.h"
#include "compiler/model/settings.h"

namespace gpulint::flyte {

/// A chart whose defaults are built in.
struct ChartInfo {
  std::string_view name;     ///< `flyte-core`, `flyte-binary`.
  std::string_view version;  ///< Its Flyte release.
};

[[nodiscard]] ChartInfo chart_info(FlyteChart chart, FlyteVersion version);

/// The part of a chart's own values that decides `plugins.k8s`, `task_resources` and the
/// configuration files.
[[nodiscard]] ConfigValue chart_values(FlyteChart chart, FlyteVersion version);

/// The top-level keys of the chart's own values. They may have more keys than chart_values() has.
[[nodiscard]] std::vector<std::string_view> chart_value_keys(FlyteChart chart);

/// `flyte-binary.fullname` of a release.
[[nodiscard]] std::string binary_name(const ConfigValue& values, std::string_view release);

/// A value of a release that is set by its path: an argument of `helm --set`, with its place.
struct ValueSetting {
  ReleaseLayer::Reading reading = ReleaseLayer::Reading::open;
  std::string path;   ///< `a.b\.c[0]`, from the chart's own values.
  std::string value;  ///< The text after `=`, with escapes.
  Node path_node;     ///< Where they are written.
  Node value_node;
};

/// Sets values as Helm's parser of `--set` does (helm.sh/helm, pkg/strvals): `a.b`, `a[0].b`,
/// escapes, lists in braces. With typed settings `true`, `null` and whole numbers are not strings.
/// `values` are the user's, without the chart's own. Each set part has the node of the setting.
/// Returns why Helm rejects it; empty if it accepts it.
[[nodiscard]] std::string apply_setting(const ValueSetting& setting, ConfigValue& values);

/// Values as a chart's templates see them.
struct MergedValues {
  ConfigValue values;
  std::vector<LostValue> lost;          ///< Values that later layers replaced or deleted.
  std::vector<ConfigProblem> problems;  ///< If not empty, Helm rejects the values.
};

/// The beginning of a problem's message if Helm rejects a setting.
inline constexpr std::string_view helm_refuses_setting = "Helm cannot set this value: ";

/// Merges values files as Helm does: later layers take precedence, mappings merge, lists and
/// scalars replace. Then applies settings by path, in order. All of it over the chart's own values,
/// where null deletes a key.
[[nodiscard]] MergedValues merge_values(std::span<const Node> layers,
                                        std::span<const ValueSetting> settings,
                                        ConfigValue chart_values);

}  // namespace gpulint::flyte
