#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "compiler/model/settings.h"

namespace gpulint::flyte {

/// The meaning of a document in Flyte.
enum class DocumentKind : std::uint8_t { none, core_values, binary_values, config };

/// The kind of a chart's values, and the chart of a kind. `config` and `unknown` correspond to each
/// other.
[[nodiscard]] DocumentKind kind_of(FlyteChart chart);
[[nodiscard]] FlyteChart chart_of(DocumentKind kind);

/// `flyte-core`; empty for an unknown chart. And the reverse.
[[nodiscard]] std::string_view chart_name(FlyteChart chart);
[[nodiscard]] FlyteChart chart_named(std::string_view name);

/// The kind of a document or a part of it, and the node where the part begins.
struct FlyteDocument {
  DocumentKind kind = DocumentKind::none;
  Node root;
  Node values;   ///< Root of the values that contain these: above `root` for a subchart's values;
                 ///< its key is then the chart's name.
  Node release;  ///< For values in another file (model/gitops/helm_values_source.h): the object
                 ///< that installs the chart; values of one release are layers, in order. Null in
                 ///< values files.
};

/// Recognises Flyte by content: the top of a document, or values below parent charts' keys at any
/// depth. In files with values and other content, and in texts of such values, the name of the
/// chart decides whether it is Flyte's (`flyte-core`, `flyte-binary`). Only values can be several.
[[nodiscard]] std::vector<FlyteDocument> find_flyte(const Document& document);

/// The first of them, or none.
[[nodiscard]] FlyteDocument recognize(const Document& document);

/// Whether the mapping is certainly a configuration file of Flyte: `plugins.k8s` with keys of Flyte
/// or next to its other sections, or `task_resources` with defaults or limits.
[[nodiscard]] bool is_flyte_config(Node root);

/// Whether the document is a configuration file in one of Flyte's ConfigMaps or Secrets: by the
/// object's name or labels, or by is_flyte_config(). Other programs also have `plugins`.
[[nodiscard]] bool is_mounted_flyte_config(const Document& document);

}  // namespace gpulint::flyte
