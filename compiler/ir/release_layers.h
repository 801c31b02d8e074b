#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/node.h"

namespace gpulint {

/// One of the sources that a release's values come from (see values_place.h for the formats).
struct ReleaseLayer {
  enum class Kind : std::uint8_t {
    written,    ///< In the file itself, as ValuesPlace has it.
    object,     ///< A key of a ConfigMap or Secret: Flux's `valuesFrom`.
    file,       ///< A file: `valueFiles`, `valuesFile`, a path in helmfile's `values`.
    setting,    ///< A single value: `parameters`, Terraform's `set`.
    elsewhere,  ///< What nothing among the inputs can show: an address, a secret store.
  };
  Kind kind = Kind::elsewhere;
  Node node;               ///< The values, or what names them.
  std::string name;        ///< The object's name, or the path without `$ref/`.
  std::string key;         ///< Of the object's data; of a setting the path, dotted as for `--set`.
  std::string of_kind;     ///< `ConfigMap`, `Secret`.
  bool from_root = false;  ///< A path from a repository's root, not from the file's folder.
};

/// The sources of a release, in the order in which later ones win. `release`: as ValuesPlace has
/// it. Empty of a ConfigMap's or Secret's data, which nobody is known to install.
[[nodiscard]] std::vector<ReleaseLayer> release_layers(Node release);

/// What installs a chart, whether it has values or not, in document order.
[[nodiscard]] std::vector<Node> find_releases(Node document_root);

/// What names a release's chart; nothing where nobody does.
[[nodiscard]] Node chart_of_release(Node release);

}  // namespace gpulint
