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

/// The documents of a run, by file and folder.
class Inputs {
 public:
  Inputs(const SourceSet& sources, const std::vector<const Document*>& documents);

  [[nodiscard]] const std::vector<Kustomization>& kustomizations() const { return all_; }
  [[nodiscard]] std::size_t document_count() const { return document_count_; }
  /// The kustomization in a folder; null if there is none.
  [[nodiscard]] const Kustomization* in_folder(const std::string& folder) const;
  /// The readable documents of a file that are not embedded; empty if it is not an input.
  [[nodiscard]] std::vector<const Document*> of_file(const std::string& path) const;
  /// Whether the file is an input of the run, even if it was not parsed.
  [[nodiscard]] bool is_input(const std::string& path) const;
  /// The documents of a patch: from its file, or from its scalar.
  [[nodiscard]] std::vector<const Document*> of_patch(const Patch& patch) const;

 private:
  std::size_t document_count_;
  std::vector<Kustomization> all_;
  const SourceSet::Paths& paths_;  // of all files and folders, read or not
  std::map<std::string, std::size_t, std::less<>> by_folder_;
  std::map<std::string, std::vector<const Document*>, std::less<>> files_;
  std::map<std::pair<const Document*, NodeIndex>, std::vector<const Document*>> embedded_;
};

/// Builds one kustomization, including those below it. Each folder is built once. Objects, steps
/// and depth are bounded: a few lines can expand to more than memory has.
class Build {
 public:
  /// `kustomizations`: the number in the run; they share the limit.
  Build(const Inputs& inputs, std::size_t kustomizations);

  /// Empty if it exceeds a limit.
  [[nodiscard]] std::vector<Resource> run(const Kustomization& topmost);

  /// The patch documents that were merged onto some object.
  [[nodiscard]] const std::set<const Document*>& merged() const { return merged_; }
  [[nodiscard]] std::vector<Unmerged>& unmerged() { return unmerged_; }

 private:
  void count_uses(const Kustomization& topmost);
  [[nodiscard]] std::vector<Resource> build(const Kustomization& kustomization);
  /// Adds the kustomization's resources and components, and applies its settings to all of them.
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
  /// Counts created objects, and steps; both are bounded.
  void spend(std::size_t objects, std::size_t steps);

  const Inputs& inputs_;
  const std::size_t most_objects_;
  const std::size_t most_steps_;
  std::size_t objects_ = 0;
  std::size_t steps_ = 0;
  std::string excess_;                                // the limit that was reached
  bool lacks_resources_ = false;                      // some are remote, generated, or no inputs
  std::set<const Kustomization*> open_;               // those being built: a cycle builds nothing
  std::map<const Kustomization*, std::size_t> uses_;  // how often each is still needed
  std::map<const Kustomization*, std::vector<Resource>> built_;  // for those uses
  std::set<const Document*> merged_;
  std::set<std::string, std::less<>> left_;  // the folders of these
  std::vector<Unmerged> unmerged_;
};

}  // namespace gpulint::kustomize
