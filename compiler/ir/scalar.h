#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compiler/ir/node.h"

namespace gpulint {

/// What Kubernetes makes of a YAML scalar before any field type is known: sigs.k8s.io/yaml, which
/// is YAML 1.1 with yaml.v2's resolution (golden/README-kubernetes.md, "YAML").
struct KubernetesScalar {
  enum class Type : std::uint8_t { null, boolean, integer, floating, string };
  Type type = Type::string;
  bool boolean = false;
  std::int64_t integer = 0;  ///< Valid for integers within int64.
  /// The value as JSON text (`true`, `8`, `1.1`), for strings the raw text without quotes.
  std::string text;
};

/// Reads a scalar node; nullopt where Kubernetes refuses the whole document for it (`.inf`,
/// `.nan`).
[[nodiscard]] std::optional<KubernetesScalar> read_kubernetes_scalar(Node scalar);

/// Reads the node as a mapping key: what the JSON object's key becomes; nullopt where refused.
[[nodiscard]] std::optional<std::string> read_kubernetes_key(Node key);

/// What the key is before it becomes text: keys of different types never replace each other.
[[nodiscard]] KubernetesScalar::Type kubernetes_key_type(Node key);

/// Whether the text can be read as the explicit tag says (`!!int x` cannot); true without a tag.
[[nodiscard]] bool is_kubernetes_readable(Node scalar);

}  // namespace gpulint
