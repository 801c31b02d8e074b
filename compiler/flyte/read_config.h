#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/config_value.h"
#include "compiler/ir/document.h"
#include "compiler/ir/node.h"

namespace gpulint::flyte {

/// Why Flyte (or Helm) cannot load a configuration, and the place that causes it.
struct ConfigProblem {
  std::string path;  ///< Dotted path with the section: `plugins.k8s.default-cpus`; may be empty.
  std::string message;
  Node node;  ///< Null if no single place is the cause.
};

/// The message for a file (or a block that becomes one) that is not a mapping.
inline constexpr std::string_view no_mapping = "the top level of a configuration must be a mapping";

struct ReadConfig {
  ConfigValue value;
  std::vector<ConfigProblem> problems;  ///< If not empty, the parser rejects the file.
};

/// The first document of a configuration file as yaml.v3 reads it into a Go map: applies merge keys
/// and aliases; rejects duplicate keys, unreadable tags and excessive aliasing.
[[nodiscard]] ReadConfig read_go_yaml(const Document& document);
[[nodiscard]] ReadConfig read_go_yaml(Node node);

/// A values file as Helm reads it: YAML 1.1, the last of duplicate keys applies, keys are strings.
[[nodiscard]] ReadConfig read_helm_yaml(Node node);

}  // namespace gpulint::flyte
