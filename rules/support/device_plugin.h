#pragma once

#include <string>
#include <vector>

#include "compiler/model/corpus.h"
#include "compiler/model/device_plugin_config.h"

namespace gpulint::rules {

/// The roots of the documents that NVIDIA's device plugin reads as its configuration; not the
/// values of its Helm chart, whose keys have the same names.
[[nodiscard]] std::vector<Node> device_plugin_config_roots(const Corpus& corpus);

/// Whether the ConfigMap that holds the configuration holds others, too, that are not read: some of
/// its nodes may have one of those.
[[nodiscard]] bool has_unread_siblings(const std::vector<Node>& roots, Node root);

/// What the plugin makes of the problem's place, as the end of a sentence: `is no mapping`.
[[nodiscard]] std::string describe(const DevicePluginProblem& problem);

}  // namespace gpulint::rules
