#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/edit/move_entry.h"
#include "compiler/flyte/loaded_release.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/model/settings.h"

namespace gpulint::rules {

/// What a document is to Flyte as its chart reads it, also where all that is Flyte's in it stands
/// elsewhere: by the chart that is declared, else by the other keys of the document. Several where
/// it holds values of several releases.
[[nodiscard]] std::vector<flyte::FlyteDocument> recognize_values(const Document& document,
                                                                 FlyteChart chart);

/// Whether a mapping at these keys of a document is where somebody looks for keys of `plugins.k8s`
/// who is mistaken in the place: the root and what leads to the section, `plugins` itself, another
/// plugin.
[[nodiscard]] bool is_near_plugins(const std::vector<std::string_view>& keys,
                                   std::string_view section);

/// What becomes of a document with a key twice, by whoever reads it: `Flyte refuses to start` …
[[nodiscard]] std::string_view consequence_of_repeated_keys(const Corpus& corpus,
                                                            const Document& document);

/// Who reads `plugins.k8s` of a kind of document, and where.
struct PluginReader {
  std::string_view name;
  std::string_view path;  ///< `*` stands for one key.
};
[[nodiscard]] PluginReader plugin_reader(flyte::DocumentKind kind);

/// The path with `k8s` for `*`.
[[nodiscard]] std::string example_path(const PluginReader& reader);

/// The `plugins.k8s` that the reader finds below `root`; the keys that are not there yet are left
/// to be made.
[[nodiscard]] NewPlace find_plugin_section(const PluginReader& reader, Node root);

/// Keys from `root` down to `node`, list items left out.
[[nodiscard]] std::vector<std::string_view> keys_between(Node root, Node node);

/// Whether the keys begin with the path, in any letter case; `length`: how many keys it takes.
[[nodiscard]] bool begins_with(const std::vector<std::string_view>& keys, std::string_view path,
                               std::size_t& length);

}  // namespace gpulint::rules
