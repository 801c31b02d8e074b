#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/model/kustomize/kustomization.h"
#include "compiler/model/kustomize/resource.h"
#include "compiler/model/kustomize/unmerged.h"

namespace gpulint::kustomize {

/// The documents of a run as kustomizations find them.
class Inputs {
 public:
  Inputs(const SourceSet& sources, const std::vector<const Document*>& documents);

  [[nodiscard]] const std::vector<Kustomization>& kustomizations() const { return all_; }
  /// The kustomization in a folder; null where there is none.
  [[nodiscard]] const Kustomization* in_folder(const std::string& folder) const;
  /// The readable documents of a file that stand for themselves; empty where it is no input.
  [[nodiscard]] std::vector<const Document*> of_file(const std::string& path) const;
  /// Whether the file is an input of the run, even if nothing in it was worth reading.
  [[nodiscard]] bool is_input(const std::string& path) const;
  /// The documents of a patch: of its file, or in its scalar.
  [[nodiscard]] std::vector<const Document*> of_patch(const Patch& patch) const;

 private:
  const SourceSet& sources_;
  std::vector<Kustomization> all_;
  std::map<std::string, std::vector<const Document*>, std::less<>> files_;
  std::map<std::pair<const Document*, NodeIndex>, std::vector<const Document*>> embedded_;
};

/// What one kustomization builds, those below it included.
class Build {
 public:
  explicit Build(const Inputs& inputs) : inputs_(inputs) {}

  [[nodiscard]] std::vector<Resource> run(const Kustomization& kustomization);

  /// The patch documents that were merged onto something.
  [[nodiscard]] const std::set<const Document*>& merged() const { return merged_; }
  [[nodiscard]] std::vector<Unmerged>& unmerged() { return unmerged_; }

 private:
  void add_resources(const Kustomization& kustomization, std::vector<Resource>& resources);
  void add_file(const std::string& path, std::vector<Resource>& resources);
  void apply_patches(const Kustomization& kustomization, std::vector<Resource>& resources);
  void apply_patch(const Kustomization& kustomization, const Patch& patch,
                   std::vector<Resource>& resources);
  enum class Outcome : unsigned char { merged, unmatched, failed };
  [[nodiscard]] Outcome apply_document(const Patch& patch, const Document& document,
                                       std::vector<Resource>& resources);
  void leave(const Kustomization& kustomization, Node place, std::string_view reason);

  const Inputs& inputs_;
  bool lacks_resources_ = false;            // some are remote, generated, or no inputs
  std::vector<const Kustomization*> open_;  // those being built: a cycle builds nothing
  std::set<const Document*> merged_;
  std::vector<Unmerged> unmerged_;
};

}  // namespace gpulint::kustomize
