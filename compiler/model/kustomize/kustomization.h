#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"

namespace gpulint::kustomize {

/// The objects that a patch is for: `patches[].target`, `patchesJson6902[].target`. Patterns are
/// regular expressions that match whole names; empty ones match all.
struct Target {
  std::string group;
  std::string version;
  std::string kind;
  std::string name;
  std::string name_space;
  std::string labels;            ///< A label selector.
  bool has_annotations = false;  ///< The target selects by annotations, which are not supported
                                 ///< here.
};

/// One patch of a kustomization.
struct Patch {
  Node entry;                    ///< The entry in the kustomization.
  std::string path;              ///< The file, as inputs name it; empty for an inline patch.
  Node text;                     ///< For an inline patch: its scalar.
  std::optional<Target> target;  ///< nullopt: the patch itself names its object.
  bool is_last = false;  ///< kustomize applies it after names and labels: `patchesJson6902`.
};

/// A parsed kustomization (kustomize.config.k8s.io, v1beta1 and v1alpha1; api/types of kustomize
/// v5). Paths are joined with its folder and written as inputs have them.
struct Kustomization {
  Node root;
  std::string path;
  std::string folder;  ///< Empty for the folder of the run.
  bool is_component = false;
  std::vector<std::string> resources;  ///< Files and folders; includes `bases`.
  std::vector<std::string> components;
  std::vector<Patch> patches;  ///< In the order in which kustomize applies them.
  /// Entries with content that is not read here: Helm charts, generators, remote resources.
  std::vector<Node> unread_resources;
  /// Entries that may change any object: transformers, replacements.
  std::vector<Node> unread_changes;
  /// Which fields refer to names is configured elsewhere (`configurations`, `crds`).
  bool configures_names = false;
};

/// Names by which kustomize finds a kustomization in a folder.
inline constexpr std::array<std::string_view, 3> file_names{"kustomization.yaml",
                                                            "kustomization.yml", "Kustomization"};

/// Whether kustomize finds a kustomization in a file with this name.
[[nodiscard]] bool is_kustomization_name(std::string_view path);

/// Whether the document is a kustomization: by its kind (kustomize's own, not Flux'), or by the
/// file's name if it has no kind.
[[nodiscard]] bool is_kustomization(Node root, std::string_view path);

/// Whether gpulint applies every field of a kustomization.
[[nodiscard]] bool is_applied_whole(const Kustomization& kustomization);

/// Whether kustomize runs Helm for a kustomization.
[[nodiscard]] bool runs_helm(const Kustomization& kustomization);

/// `root` must be one. `current_folder`: SourceSet::folder().
[[nodiscard]] Kustomization read_kustomization(Node root, const std::string& path,
                                               const std::string& current_folder);

}  // namespace gpulint::kustomize
