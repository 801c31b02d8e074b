#pragma once

#include <string>
#include <vector>

#include "compiler/engine/corpus.h"
#include "compiler/ir/field.h"

namespace gpulint::rules {

/// A DaemonSet of NVIDIA's device plugin, and the sources of its configuration.
struct Plugin {
  const Workload* workload = nullptr;
  Node names_file;                            ///< Names a file; nothing if there is none.
  std::vector<Value<std::string>> mounted;    ///< ConfigMaps that are volumes.
  std::vector<Value<std::string>> variables;  ///< ConfigMaps in `envFrom`.
  bool is_open = false;                       ///< Some name is templated.
};
[[nodiscard]] std::vector<Plugin> find_plugins(const Corpus& corpus);

/// The settings of a container: the names and values of its variables, the words of its arguments
/// and command.
[[nodiscard]] std::vector<Node> words_of(const Container& container);

/// A ConfigMap with configurations of the plugin.
struct ConfigObject {
  Node object;
  Field<std::string> name;
};
/// The name of the ConfigMap of this configuration; absent if it is in none.
[[nodiscard]] Field<std::string> config_map_name(Node root);
/// Each once.
[[nodiscard]] std::vector<ConfigObject> find_config_maps(const Corpus& corpus);

}  // namespace gpulint::rules
