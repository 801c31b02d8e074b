#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "compiler/model/settings.h"

namespace gpulint::flyte {

/// What a document is to Flyte.
enum class DocumentKind : std::uint8_t { none, core_values, binary_values, config };

/// What the values of a chart are, and the other way round; of an unknown chart, of what are no
/// values: `config` and `unknown`.
[[nodiscard]] DocumentKind kind_of(FlyteChart chart);
[[nodiscard]] FlyteChart chart_of(DocumentKind kind);

/// `flyte-core`; empty of an unknown one. And the other way round.
[[nodiscard]] std::string_view chart_name(FlyteChart chart);
[[nodiscard]] FlyteChart chart_named(std::string_view name);

/// What a document, or a part of it, is, and where in it the matter begins.
struct FlyteDocument {
  DocumentKind kind = DocumentKind::none;
  Node root;
  Node values;   ///< Root of the values of which these are part: above `root` where they are a
                 ///< subchart's, which then bears its key for its name.
  Node release;  ///< Of values in another file (model/gitops/helm_values_source.h): what installs
                 ///< the chart; the values of one release are layers, in order. Nothing in values
                 ///< files.
};

/// Recognises Flyte by content: the top of a document, or values below parent charts' keys at any
/// depth. In files that hold values beside other matter, and in the text of such, the name of the
/// chart decides where it is Flyte's (`flyte-core`, `flyte-binary`). Values alone are ever several.
[[nodiscard]] std::vector<FlyteDocument> find_flyte(const Document& document);

/// The first of them, or none.
[[nodiscard]] FlyteDocument recognize(const Document& document);

/// Whether the mapping is a configuration file of Flyte beyond doubt: `plugins.k8s` with keys of
/// Flyte or beside its other sections, or `task_resources` with defaults or limits.
[[nodiscard]] bool is_flyte_config(Node root);

/// Whether the document is a configuration file in a ConfigMap or Secret of Flyte's: by the
/// object's name or labels, or because is_flyte_config() holds. Others have `plugins`, too.
[[nodiscard]] bool is_mounted_flyte_config(const Document& document);

}  // namespace gpulint::flyte
