#pragma once

#include <optional>
#include <string>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// What sigs.k8s.io/yaml makes of a document: YAML 1.1 with yaml.v2's resolution, aliases and merge
/// keys expanded in the order written, keys as text.
struct KubernetesJson {
  struct Refusal {
    Node node;  ///< Where; nothing if the text is not YAML.
    std::string message;
  };
  std::string text;                     ///< Keys sorted, as Go writes them; empty with an error.
  std::optional<Refusal> error;         ///< Kubernetes refuses the document.
  std::optional<Refusal> strict_error;  ///< Strict readers refuse it: the first repeated key.
  /// Two different YAML keys become one JSON key, and it is random which one wins.
  bool unstable = false;
};

/// A document without content is `null`. Time and memory are bounded whatever aliases do, with the
/// bounds that Kubernetes itself has.
[[nodiscard]] KubernetesJson to_kubernetes_json(const Document& document);

}  // namespace gpulint
