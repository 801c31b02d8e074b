#pragma once

#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/field.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/model/device_plugin/device_plugin_config.h"

namespace gpulint::rules {

/// The roots of the documents that NVIDIA's device plugin reads as its configuration; not the
/// values of its Helm chart, whose keys have the same names.
[[nodiscard]] std::vector<Node> device_plugin_config_roots(const Corpus& corpus);

/// Whether the ConfigMap that holds the configuration holds others, too, that are not read: some of
/// its nodes may have one of those.
[[nodiscard]] bool has_unread_siblings(const std::vector<Node>& roots, Node root);

/// The names of the configurations that a mapping of them holds (`data` of a ConfigMap,
/// `config.map` of the plugin's chart); none where one is open.
[[nodiscard]] std::vector<Value<std::string>> configuration_names(Node mapping);
/// Those of every ConfigMap that holds configurations of the plugin: what a node's label
/// `nvidia.com/device-plugin.config` may name. None where one is open.
[[nodiscard]] std::vector<Value<std::string>> device_plugin_config_names(const Corpus& corpus);

/// What the plugin makes of the problem's place, as the end of a sentence: `is no mapping`.
[[nodiscard]] std::string describe(const DevicePluginProblem& problem);

/// How the problem is put right in the configuration at `root`; no edits where that is not beyond
/// doubt.
struct DevicePluginCorrection {
  std::string title;
  std::vector<Edit> edits;
};
[[nodiscard]] DevicePluginCorrection correct(const SourceSet& sources, Node root,
                                             const DevicePluginProblem& problem);

/// Whether another problem of the configuration is why this key lacks: it is misspelt.
[[nodiscard]] bool is_misspelt(const DevicePluginConfig& config,
                               const DevicePluginProblem& problem);

}  // namespace gpulint::rules
