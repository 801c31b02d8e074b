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

/// The values of variables that Flux Kustomizations among the inputs set (`spec.postBuild`): from
/// `substitute`, and from ConfigMaps among the inputs that `substituteFrom` names. The content of
/// Secrets and other ConfigMaps is unknown.
class FluxVariables {
 public:
  FluxVariables() = default;
  /// `places`: InputFile::place of the files that have one.
  FluxVariables(const SourceSet& sources, const std::vector<FileId>& inputs,
                const KustomizeFiles& kustomize_files, std::map<FileId, std::string> places);

  /// Whether no input sets variables.
  [[nodiscard]] bool empty() const { return kustomizations_.empty() && !may_be_others_; }

  /// The variables of a file. A value is known if a Kustomization builds the file: its `spec.path`
  /// is a folder around the file, or around a kustomization that uses it. Variables that only other
  /// Kustomizations set are unknown.
  [[nodiscard]] Substitutes of(FileId file) const;

 private:
  struct Kustomization {
    std::optional<std::string> path;  ///< Of the folder; nullopt: unknown.
    Substitutes sets;
    /// The files that kustomizations in the folder use; null if there is no folder.
    std::shared_ptr<const std::set<FileId>> files;
  };
  void read(const SourceFile& file, const std::vector<FileId>& inputs);
  [[nodiscard]] std::string_view place_of(FileId file) const;

  const SourceSet* sources_ = nullptr;
  std::map<FileId, std::string> places_;
  std::vector<Kustomization> kustomizations_;
  bool may_be_others_ = false;  ///< Some Kustomizations could not be read.
};

/// Whether a text may be a Kustomization that sets variables.
[[nodiscard]] bool may_set_variables(std::string_view text);

/// Whether a text may be a ConfigMap of this name.
[[nodiscard]] bool may_hold_config_map(std::string_view text, std::string_view name);

/// The names of ConfigMaps from which Kustomizations in the file take variables.
[[nodiscard]] std::set<std::string> config_maps_of_variables(const SourceFile& file);

}  // namespace gpulint
