#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// The folder of a path with `/` separators, without a slash at its end; empty for a lone name.
[[nodiscard]] std::string folder_of(std::string_view path);

/// The last part of a path.
[[nodiscard]] std::string_view last_name(std::string_view path);

/// The folders of a path, outermost first, without the file's name.
[[nodiscard]] std::vector<std::string_view> folders_in(std::string_view path);

/// The words of a path or of a part of it, in lower case: `Node-pools/a100.yaml` has `node`,
/// `pools`, `a100`, `yaml`.
[[nodiscard]] std::set<std::string> words_in(std::string_view path);

/// Whether a folder is called as one that holds alternatives, of which nobody runs all side by
/// side: `examples`, `tests`, `docs`.
[[nodiscard]] bool holds_alternatives(std::string_view folder);

/// Whether a folder is called after the nodes and machines of a cluster: `nodes`, `karpenter`,
/// `infra`.
[[nodiscard]] bool holds_machines(std::string_view folder);

/// Whether a folder is called after objects that pods go by: `device-classes`, `gpu-operator`,
/// `quotas`.
[[nodiscard]] bool holds_shared_objects(std::string_view folder);

/// Whether every folder in it is a cluster or environment of its own: `clusters`, `environments`.
[[nodiscard]] bool holds_clusters(std::string_view folder);

/// Whether the name of a file, or of its folder, says that it may declare machines:
/// `eksctl/yaml/eks-ami.yaml`.
[[nodiscard]] bool is_named_after_machines(std::string_view path);

/// Whether folders of this name serve those around them.
using FolderWords = bool (*)(std::string_view folder);

/// Whether a file serves a folder around it: all folders on the way down have such names, except
/// for one for each cluster.
[[nodiscard]] bool serves_folder(std::string_view path, std::string_view folder,
                                 FolderWords serves_around);

/// The outermost folder that the nodes of a file serve.
[[nodiscard]] std::string outermost_served(std::string_view path);

/// Whether a path is in the folder; every path is in the empty one.
[[nodiscard]] bool is_inside(std::string_view path, std::string_view folder);

/// Whether a folder's name says more than that it has machines or shared objects: `triton` of
/// `eks-triton`. Providers, environments, regions and words with digits do not count.
[[nodiscard]] bool has_foreign_word(std::string_view folder);

/// The environment that a path names, by its common short name (`prod` for `production`); empty
/// where it names none, or several.
[[nodiscard]] std::string environment_in(std::string_view path);

}  // namespace gpulint
