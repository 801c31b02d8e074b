#pragma once

#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/engine/corpus.h"
#include "compiler/ir/field.h"
#include "compiler/model/device_plugin/device_plugin_config.h"

namespace gpulint::rules {

/// The names of the configurations in a mapping of them (`data` of a ConfigMap, `config.map` of the
/// plugin's chart); none if one is unknown.
[[nodiscard]] std::vector<Value<std::string>> configuration_names(Node mapping);
/// Those of every ConfigMap with configurations of the plugin: the possible values of a node's
/// label `nvidia.com/device-plugin.config`. None if one is unknown.
[[nodiscard]] std::vector<Value<std::string>> device_plugin_config_names(const Corpus& corpus);

/// The problem as the end of a sentence about its place: `is not a mapping`.
[[nodiscard]] std::string describe(const DevicePluginProblem& problem);

/// Corrects the problem in the configuration at `root`; no edits if the correction is not certain.
struct DevicePluginCorrection {
  std::string title;
  std::vector<Edit> edits;
};
[[nodiscard]] DevicePluginCorrection correct(const SourceSet& sources, Node root,
                                             const DevicePluginProblem& problem);

/// Whether the key is missing because it is misspelt, which is another problem.
[[nodiscard]] bool is_misspelt(const DevicePluginConfig& config,
                               const DevicePluginProblem& problem);

}  // namespace gpulint::rules
