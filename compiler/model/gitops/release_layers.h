#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/node.h"

namespace gpulint {

/// One of the sources that a release's values come from (see helm_values_source.h for the formats).
struct ReleaseLayer {
  enum class Kind : std::uint8_t {
    written,    ///< In the file itself, as HelmValuesSource has it.
    object,     ///< A key of a ConfigMap or Secret: Flux's `valuesFrom`.
    file,       ///< A file: `valueFiles`, `valuesFile`, a path in helmfile's `values`.
    setting,    ///< A single value: `parameters`, `set`, as an argument of `helm --set`.
    elsewhere,  ///< What nothing among the inputs can show: an address, a secret store.
  };
  Kind kind = Kind::elsewhere;
  Node node;               ///< The values, or what names them.
  std::string name;        ///< The object's name, or the path without `$ref/`.
  std::string key;         ///< Of the object's data; of a setting the path, dotted as for `--set`.
  std::string of_kind;     ///< `ConfigMap`, `Secret`.
  bool from_root = false;  ///< A path from a repository's root, not from the file's folder.

  /// How Helm reads a setting: `--set` knows numbers, booleans and null, `--set-string` does not;
  /// `open`: what is set is a file's text, a secret, or not known yet.
  enum class Reading : std::uint8_t { typed, text, open };
  Reading reading = Reading::open;
  std::string value = {};  ///< Of a setting: what stands behind `=`, escapes and all.
  Node path_node = {};     ///< Where its path and value are written.
  Node value_node = {};
};

/// The formats that have settings, as far as mending them goes.
enum class SettingFormat : std::uint8_t { argo_cd, helmfile, k3s, terraform };

/// The format in which a scalar is the value of a setting; nothing where it is none.
[[nodiscard]] std::optional<SettingFormat> setting_format(Node value);

/// The sources of a release, in the order in which later ones win. `release`: as HelmValuesSource
/// has it. Empty of a ConfigMap's or Secret's data, which nobody is known to install.
[[nodiscard]] std::vector<ReleaseLayer> release_layers(Node release);

/// What installs a chart, whether it has values or not, in document order.
[[nodiscard]] std::vector<Node> find_releases(Node document_root);

/// What names a release's chart; nothing where nobody does.
[[nodiscard]] Node chart_of_release(Node release);

}  // namespace gpulint
