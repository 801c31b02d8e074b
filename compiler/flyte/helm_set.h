#pragma once

#include <string>
#include <string_view>

#include "compiler/flyte/config_value.h"
#include "compiler/ir/node.h"
#include "compiler/model/gitops/release_layers.h"

namespace gpulint::flyte {

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

}  // namespace gpulint::flyte
