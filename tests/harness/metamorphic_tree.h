#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/harness/metamorphic.h"
#include "tests/harness/yaml_tree.h"

/// Transforms of values. Each returns whether it applies to these documents.
namespace gpulint::test {

using Trees = std::vector<Tree>;

/// Mappings that hold no key twice, and share nothing: an anchor must stand before its aliases.
[[nodiscard]] bool reverse_keys(Trees& documents);
[[nodiscard]] bool shuffle_keys(Trees& documents);
[[nodiscard]] bool sort_keys(Trees& documents);

/// Whether JSON can say it in the same words: no anchors, tags, `<<`; no `yes` for `true`.
[[nodiscard]] bool is_json_alike(Trees& documents);
[[nodiscard]] bool is_json_stream(Trees& documents);

[[nodiscard]] bool reverse_documents(Trees& documents);
[[nodiscard]] bool wrap_in_list(Trees& documents);
[[nodiscard]] bool wrap_each_in_list(Trees& documents);
[[nodiscard]] bool unwrap_lists(Trees& documents);

/// Names of objects and references to them in the file get `renaming_mark`. Names of charts and
/// names by which programs find an object stay.
[[nodiscard]] bool rename_objects(Trees& documents);
/// The same for namespaces, also in fields like `targetNamespace` and in selectors of namespaces.
[[nodiscard]] bool rename_namespaces(Trees& documents);

/// Collections that occur again become aliases.
[[nodiscard]] bool share_repeated(Trees& documents);
/// Small collections are anchored under `x-…` keys at the root.
[[nodiscard]] bool define_elsewhere(Trees& documents);
/// The same, and each mapping merges what it held.
[[nodiscard]] bool merge_from_elsewhere(Trees& documents);
[[nodiscard]] bool write_out_aliases(Trees& documents);

/// Whether all documents are objects that an API server keeps.
[[nodiscard]] bool holds_objects(const std::string& text);
[[nodiscard]] std::optional<Inputs> split_documents(const Inputs& inputs);
[[nodiscard]] std::optional<Inputs> join_files(const Inputs& inputs);
[[nodiscard]] std::optional<Inputs> as_json_file(const Inputs& inputs);

}  // namespace gpulint::test
