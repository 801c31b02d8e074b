#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/config_value.h"
#include "compiler/flyte/helm_values.h"
#include "compiler/flyte/read_config.h"
#include "compiler/flyte/viper.h"
#include "compiler/model/settings.h"

namespace gpulint::flyte {

/// One release of a Flyte chart.
struct HelmRelease {
  FlyteChart chart = FlyteChart::core;
  FlyteVersion version = FlyteVersion::v1;
  std::vector<Node> layers;  ///< Roots of the values, in order; in a parent chart's values, the
                             ///< nodes below the subchart's key.
  std::string subchart;      ///< That key: the subchart's own name, or its alias; else empty.
  bool is_partial = false;   ///< Some layers are missing among the inputs.
  std::vector<ValueSetting> settings;  ///< Applied after the layers, in order.
  std::optional<std::string> name;     ///< nullopt: chosen at installation.
  std::optional<std::string> name_space;
};

/// The configuration files of a release's processes, in load order.
struct ReleaseConfig {
  std::vector<ConfigFile> propeller;  ///< The files with `plugins.k8s`.
  std::vector<ConfigFile> admin;      ///< The files with `task_resources`; for flyte-binary the
                                      ///< same.
  bool has_propeller = false;         ///< False: disabled, or its ConfigMap comes from elsewhere.
  bool has_admin = false;
  std::vector<LostValue> lost;          ///< Among the layers.
  std::vector<ConfigProblem> problems;  ///< If not empty, Helm rejects the values.
};

/// Renders the values into configuration files as the chart's templates do.
[[nodiscard]] ReleaseConfig render_release(const HelmRelease& release);

}  // namespace gpulint::flyte
