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
  std::string_view version;  ///< The Flyte release that it is part of.
};

[[nodiscard]] ChartInfo chart_info(FlyteChart chart, FlyteVersion version);

/// The part of a chart's own values that decides `plugins.k8s`, `task_resources` and which
/// configuration files there are.
[[nodiscard]] ConfigValue chart_values(FlyteChart chart, FlyteVersion version);

/// The top-level keys of the chart's own values: below them more may be set than chart_values()
/// knows.
[[nodiscard]] std::vector<std::string_view> chart_value_keys(FlyteChart chart);

/// `flyte-binary.fullname` of a release.
[[nodiscard]] std::string binary_name(const ConfigValue& values, std::string_view release);

/// A value of a release that is set by its path: an argument of `helm --set`, and where it stands.
struct ValueSetting {
  ReleaseLayer::Reading reading = ReleaseLayer::Reading::open;
  std::string path;   ///< `a.b\.c[0]`, from the chart's own values.
  std::string value;  ///< What stands behind `=`, escapes and all.
  Node path_node;     ///< Where they are written.
  Node value_node;
};

/// Sets values as Helm's parser of `--set` does it (helm.sh/helm, pkg/strvals): `a.b`, `a[0].b`,
/// escapes, lists in braces; of typed ones `true`, `null` and whole numbers are no strings.
/// `values` are those that the user gave, without the chart's own. Each part that is set has the
/// node of the setting. The message is why Helm refuses it; empty where it does not.
[[nodiscard]] std::string apply_setting(const ValueSetting& setting, ConfigValue& values);

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
