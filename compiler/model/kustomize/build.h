#pragma once

#include <cstddef>
#include <functional>
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
  [[nodiscard]] std::size_t document_count() const { return document_count_; }
  /// The kustomization in a folder; null where there is none.
  [[nodiscard]] const Kustomization* in_folder(const std::string& folder) const;
  /// The readable documents of a file that stand for themselves; empty where it is no input.
  [[nodiscard]] std::vector<const Document*> of_file(const std::string& path) const;
  /// Whether the file is an input of the run, even if nothing in it was worth reading.
  [[nodiscard]] bool is_input(const std::string& path) const;
  /// The documents of a patch: of its file, or in its scalar.
  [[nodiscard]] std::vector<const Document*> of_patch(const Patch& patch) const;

 private:
  std::size_t document_count_;
  std::vector<Kustomization> all_;
  const SourceSet::Paths& paths_;  // of all files and folders, read or not
  std::map<std::string, std::size_t, std::less<>> by_folder_;
  std::map<std::string, std::vector<const Document*>, std::less<>> files_;
  std::map<std::pair<const Document*, NodeIndex>, std::vector<const Document*>> embedded_;
};

/// What one kustomization builds, those below it included. Each folder is built once. Objects,
/// steps and depth are bounded: a few lines can ask for more than memory holds.
class Build {
 public:
  /// `kustomizations`: those of the run, which share the limit.
  Build(const Inputs& inputs, std::size_t kustomizations);

  /// Nothing where it goes beyond a limit.
  [[nodiscard]] std::vector<Resource> run(const Kustomization& topmost);

  /// The patch documents that were merged onto something.
  [[nodiscard]] const std::set<const Document*>& merged() const { return merged_; }
  [[nodiscard]] std::vector<Unmerged>& unmerged() { return unmerged_; }

 private:
  void count_uses(const Kustomization& topmost);
  [[nodiscard]] std::vector<Resource> build(const Kustomization& kustomization);
  /// Adds the kustomization's resources and components, and applies what it says to all.
  void gather(const Kustomization& kustomization, std::vector<Resource>& resources);
  void add_resources(const Kustomization& kustomization, std::vector<Resource>& resources);
  void add_components(const Kustomization& kustomization, std::vector<Resource>& resources);
  void add_file(const std::string& path, std::vector<Resource>& resources);
  void transform(const Kustomization& kustomization, std::vector<Resource>& resources);
  void apply_patches(const Kustomization& kustomization, bool last,
                     std::vector<Resource>& resources);
  [[nodiscard]] bool may_miss(const Patch& patch, const Document& document) const;
  void apply_patch(const Kustomization& kustomization, const Patch& patch,
                   std::vector<Resource>& resources, ResourceIndex& index);
  enum class Outcome : unsigned char { merged, unmatched, failed };
  [[nodiscard]] Outcome apply_document(const Patch& patch, const Document& document,
                                       std::vector<Resource>& resources, ResourceIndex& index);
  void leave(const Kustomization& kustomization, Node place, std::string_view reason);
  /// Counts objects that are made, and steps; both are bounded.
  void spend(std::size_t objects, std::size_t steps);

  const Inputs& inputs_;
  const std::size_t most_objects_;
  const std::size_t most_steps_;
  std::size_t objects_ = 0;
  std::size_t steps_ = 0;
  std::string excess_;                                // the limit that was reached
  bool lacks_resources_ = false;                      // some are remote, generated, or no inputs
  std::set<const Kustomization*> open_;               // those being built: a cycle builds nothing
  std::map<const Kustomization*, std::size_t> uses_;  // how often each is still asked for
  std::map<const Kustomization*, std::vector<Resource>> built_;  // for those uses
  std::set<const Document*> merged_;
  std::set<std::string, std::less<>> left_;  // the folders of these
  std::vector<Unmerged> unmerged_;
};

}  // namespace gpulint::kustomize
