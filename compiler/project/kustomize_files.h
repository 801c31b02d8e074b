#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/model/kustomize/kustomization.h"
#include "compiler/project/file_system.h"
#include "compiler/project/input_file.h"

namespace gpulint {

/// The kustomizations among the inputs and the files that they name. Files that kustomize builds
/// together are in one scope, and are read even if they do not mention GPUs.
class KustomizeFiles {
 public:
  /// Files that a kustomization names may be missing in `inputs`. The output of kustomize has the
  /// path of its kustomization, and counts as a file that it names.
  KustomizeFiles(const SourceSet& sources, const std::vector<InputFile>& inputs);

  /// Whether a document is read because of a kustomization that concerns GPUs: it is the
  /// kustomization, a patch, or an object of a kind that patches change.
  [[nodiscard]] bool needs(FileId file, std::string_view document) const;
  /// All files with a kustomization, in order.
  [[nodiscard]] std::vector<FileId> all() const;
  /// The kustomizations that no other kustomization uses.
  [[nodiscard]] std::vector<FileId> topmost() const;
  /// The files, and all inputs that kustomizations among them name, directly or through others.
  [[nodiscard]] std::set<FileId> joined(std::vector<FileId> files) const;
  /// Whether kustomize, without Helm, applies more of a topmost kustomization than gpulint does.
  [[nodiscard]] bool needs_kustomize(FileId file) const;
  /// Inputs whose objects are in the output of kustomize, and in no build of gpulint's own.
  [[nodiscard]] std::set<FileId> built_by_kustomize() const;
  /// The kustomizations that name the file as a patch.
  [[nodiscard]] std::vector<FileId> patched_by(FileId file) const;

  /// What the other functions know from the text of a file that is not a kustomization.
  struct Knowledge {
    bool concerns_gpus = false;
    std::set<std::string> patched_kinds;
    bool operator==(const Knowledge&) const = default;
  };
  /// Empty for a file that no kustomization names.
  [[nodiscard]] Knowledge knowledge_of(const SourceFile& file) const;

 private:
  using Kustomization = kustomize::Kustomization;

  void read(const SourceFile& file, const std::string& current_folder);
  [[nodiscard]] std::vector<FileId> named_by(const std::vector<Kustomization>& all) const;
  void add_folder(const std::string& path, std::vector<FileId>& files) const;
  void find_bases(const SourceSet& sources);
  [[nodiscard]] std::set<FileId> find_concerned(const SourceSet& sources) const;
  void add_kinds(const SourceSet& sources, const kustomize::Patch& patch,
                 std::set<std::string>& kinds) const;
  static void add_kinds(const SourceFile& patch, std::set<std::string>& kinds);

  std::vector<std::unique_ptr<Document>> documents_;
  std::map<FileId, std::vector<Kustomization>> by_file_;
  std::map<std::string, FileId, std::less<>> by_path_;
  std::map<FileId, std::vector<FileId>> named_;    // by each kustomization
  std::map<FileId, std::vector<FileId>> patches_;  // the kustomizations of each
  std::map<FileId, FileId> outputs_;               // of kustomize, by kustomization
  /// By file that a kustomization with GPUs builds: the kinds that patches change. An empty kind
  /// means all kinds.
  std::map<FileId, std::set<std::string>> kinds_read_;
};

/// Whether the name or the text of a file is that of a kustomization.
[[nodiscard]] bool may_be_kustomization(const SourceFile& file);

/// The existing files that a kustomization names, including the kustomizations of folders that it
/// names. Empty for all other files.
[[nodiscard]] std::vector<std::string> files_of_kustomization(const SourceFile& file,
                                                              const FileSystem& files);

}  // namespace gpulint
