#pragma once

#include <string>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules {

/// A DaemonSet of NVIDIA's device plugin, and what it may read its configuration from.
struct Plugin {
  const Workload* workload = nullptr;
  Node names_file;                            ///< Where a file is named; nothing where none is.
  std::vector<Value<std::string>> mounted;    ///< ConfigMaps that are volumes.
  std::vector<Value<std::string>> variables;  ///< ConfigMaps in `envFrom`.
  bool is_open = false;                       ///< A name is filled in later.
};
[[nodiscard]] std::vector<Plugin> find_plugins(const Corpus& corpus);

/// What a container is told, as it gets it: the names and values of its variables, the words of its
/// arguments and command.
[[nodiscard]] std::vector<Node> words_of(const Container& container);

/// A ConfigMap that holds configurations of the plugin.
struct ConfigObject {
  Node object;
  Field<std::string> name;
};
/// The name of the ConfigMap that holds this configuration; absent where none does.
[[nodiscard]] Field<std::string> config_map_name(Node root);
/// Each once.
[[nodiscard]] std::vector<ConfigObject> find_config_maps(const Corpus& corpus);

}  // namespace gpulint::rules
