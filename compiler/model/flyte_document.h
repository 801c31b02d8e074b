#pragma once

#include <cstdint>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"

namespace gpulint::flyte {

/// What a document is to Flyte.
enum class DocumentKind : std::uint8_t { none, core_values, binary_values, config };

/// Recognises a document by its content, and where in it the matter begins: values may sit one
/// level down, below a parent chart's key.
struct FlyteDocument {
  DocumentKind kind = DocumentKind::none;
  Node root;
};
[[nodiscard]] FlyteDocument recognize(const Document& document);

/// Whether the mapping is a configuration file of Flyte beyond doubt: `plugins.k8s` with keys of
/// Flyte or beside its other sections, or `task_resources` with defaults or limits.
[[nodiscard]] bool is_flyte_config(Node root);

/// Whether the document is a configuration file in a ConfigMap or Secret of Flyte's: by the
/// object's name or labels, or because is_flyte_config() holds. Others have `plugins`, too.
[[nodiscard]] bool is_mounted_flyte_config(const Document& document);

}  // namespace gpulint::flyte
