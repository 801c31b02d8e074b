#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/node.h"

namespace gpulint {

/// One of the sources of a release's values (see helm_values_source.h for the formats).
struct ReleaseLayer {
  enum class Kind : std::uint8_t {
    written,    ///< In the file itself, as in HelmValuesSource.
    object,     ///< A key of a ConfigMap or Secret: Flux's `valuesFrom`.
    file,       ///< A file: `valueFiles`, `valuesFile`, a path in helmfile's `values`.
    setting,    ///< A single value: `parameters`, `set`, as an argument of `helm --set`.
    elsewhere,  ///< Not among the inputs: an address, a secret store.
  };
  Kind kind = Kind::elsewhere;
  Node node;               ///< The values, or the node that names them.
  std::string name;        ///< The object's name, or the path without `$ref/`.
  std::string key;         ///< Of the object's data; for a setting the path, dotted as for `--set`.
  std::string of_kind;     ///< `ConfigMap`, `Secret`.
  bool from_root = false;  ///< A path from a repository's root, not from the file's folder.

  /// How Helm reads a setting: `--set` knows numbers, booleans and null, `--set-string` does not;
  /// `open`: the value is a file's text, a secret, or unknown.
  enum class Reading : std::uint8_t { typed, text, open };
  Reading reading = Reading::open;
  std::string value = {};  ///< For a setting: the text after `=`, with escapes.
  Node path_node = {};     ///< Where its path and value are written.
  Node value_node = {};
};

/// The formats with settings, as far as fixes need them.
enum class SettingFormat : std::uint8_t { argo_cd, helmfile, k3s, terraform };

/// The format in which a scalar is the value of a setting; nullopt if it is not one.
[[nodiscard]] std::optional<SettingFormat> setting_format(Node value);

/// The sources of a release; later ones take precedence. `release`: as in HelmValuesSource. Empty
/// for a ConfigMap's or Secret's data, whose release is unknown.
[[nodiscard]] std::vector<ReleaseLayer> release_layers(Node release);

/// The objects that install a chart, with or without values, in document order.
[[nodiscard]] std::vector<Node> find_releases(Node document_root);

/// The name of a release's chart; null if it is not named.
[[nodiscard]] Node chart_of_release(Node release);

}  // namespace gpulint
