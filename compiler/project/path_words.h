#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// The folder of a path with `/` separators, without a slash at its end; empty for a single name.
[[nodiscard]] std::string folder_of(std::string_view path);

/// The last part of a path.
[[nodiscard]] std::string_view last_name(std::string_view path);

/// The folders of a path, outermost first, without the file's name.
[[nodiscard]] std::vector<std::string_view> folders_in(std::string_view path);

/// The words of a path or of a part of it, in lower case: `Node-pools/a100.yaml` has `node`,
/// `pools`, `a100`, `yaml`.
[[nodiscard]] std::set<std::string> words_in(std::string_view path);

/// Whether the name of a folder means alternatives that do not run together: `examples`, `tests`,
/// `docs`.
[[nodiscard]] bool holds_alternatives(std::string_view folder);

/// Whether the name of a folder is about nodes or machines: `nodes`, `karpenter`, `infra`.
[[nodiscard]] bool holds_machines(std::string_view folder);

/// Whether the name of a folder is about objects that pods use: `device-classes`, `gpu-operator`,
/// `quotas`.
[[nodiscard]] bool holds_shared_objects(std::string_view folder);

/// Whether the name of a folder means that each folder in it is a separate cluster or environment:
/// `clusters`, `environments`.
[[nodiscard]] bool holds_clusters(std::string_view folder);

/// Whether the name of a file or of one of its folders is about machines:
/// `eksctl/yaml/eks-ami.yaml`.
[[nodiscard]] bool is_named_after_machines(std::string_view path);

/// Whether files in a folder of this name serve the folders around it.
using FolderWords = bool (*)(std::string_view folder);

/// Whether a file serves a folder around it: all folders between them have such names, or are the
/// folder of one cluster (`clusters/x`).
[[nodiscard]] bool serves_folder(std::string_view path, std::string_view folder,
                                 FolderWords serves_around);

/// The outermost folder that the nodes of a file serve.
[[nodiscard]] std::string outermost_served(std::string_view path);

/// Whether a path is in the folder; every path is in the empty folder.
[[nodiscard]] bool is_inside(std::string_view path, std::string_view folder);

/// Whether the name of a folder has a word that is not about machines or shared objects: `triton`
/// in `eks-triton`. Providers, environments, regions and words with digits do not count.
[[nodiscard]] bool has_foreign_word(std::string_view folder);

/// The common short name of the environment in a path (`prod` for `production`); empty if the path
/// names none or several.
[[nodiscard]] std::string environment_in(std::string_view path);

}  // namespace gpulint
