#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"
#include "frontend/variable_defaults.h"

namespace gpulint {

class KustomizeFiles;

/// What Flux's Kustomizations among the inputs put in for variables (`spec.postBuild`): entries of
/// `substitute` and of the ConfigMaps that `substituteFrom` names, where these are among the
/// inputs. What Secrets and other ConfigMaps hold is unknown.
class FluxVariables {
 public:
  FluxVariables() = default;
  /// `places`: paths from the top of the repository, of files whose own path is another.
  FluxVariables(const SourceSet& sources, const std::vector<FileId>& inputs,
                const KustomizeFiles& kustomize_files, std::map<FileId, std::string> places);

  /// Known values are those of all Kustomizations that build the file: their `spec.path` is around
  /// it, or around a kustomization that takes it in. What only others set is unknown.
  [[nodiscard]] Substitutes of(FileId file) const;

 private:
  struct Kustomization {
    std::optional<std::string> path;  ///< Of the folder; nullopt: unknown.
    Substitutes sets;
    /// What kustomizations in the folder take in; null where there is no folder.
    std::shared_ptr<const std::set<FileId>> files;
  };
  void read(const SourceFile& file, const std::vector<FileId>& inputs);
  [[nodiscard]] std::string_view place_of(FileId file) const;

  const SourceSet* sources_ = nullptr;
  std::map<FileId, std::string> places_;
  std::vector<Kustomization> kustomizations_;
  bool may_be_others_ = false;  ///< Not all of them could be read.
};

/// Whether a text may be a Kustomization that sets variables.
[[nodiscard]] bool may_set_variables(std::string_view text);

/// Whether a text may be a ConfigMap of this name.
[[nodiscard]] bool may_hold_config_map(std::string_view text, std::string_view name);

/// The ConfigMaps that Kustomizations in the file take variables from.
[[nodiscard]] std::set<std::string> config_maps_of_variables(const SourceFile& file);

}  // namespace gpulint
