#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/pipeline.h"
#include "compiler/server/folder_files.h"
#include "compiler/server/open_texts.h"

namespace gpulint::server {

/// What is checked together: a folder of the workspace, or one document outside of all folders.
struct CheckedRoot {
  Request request;
  std::string untitled;  ///< The URI of the document, if it is not a file; else empty.
  std::unique_ptr<FolderFiles> files;           ///< The project's.
  std::unique_ptr<LiveCheck> check;             ///< Null before the first check.
  std::map<std::string, FileId> files_by_path;  ///< By path_of().
  std::vector<Diagnostic> findings;      ///< As `gpulint check` reports them once all fixes are
                                         ///< verified. None if gpulint.yaml cannot be used.
  std::optional<Placements> placements;  ///< Of the project; nullopt until place_root().
  std::optional<CompiledPods> pods;      ///< Of its tasks; nullopt until compile_root().
  bool is_lost = true;                   ///< All files have to be read.
  bool is_stale = false;                 ///< More fixes are verified than `findings` shows.

  [[nodiscard]] const Project& project() const { return check->project(); }
};

/// A file of a checked project.
struct RootFile {
  CheckedRoot* root = nullptr;         ///< Null: the file was not read.
  const SourceFile* source = nullptr;  ///< Null if `root` is.
};

/// The folders of a workspace and the open documents outside of them, with their findings.
class Workspace {
 public:
  explicit Workspace(const FileSystem& files) : files_(files) {}

  /// Absolute paths.
  void add_folder(const std::string& path);
  void remove_folder(const std::string& path);

  /// Something changed: the next check() reads every file again.
  void invalidate();
  /// A document was opened, edited or closed, or a file changed on disk.
  void change(const std::string& uri) { changed_.insert(uri); }
  /// Checks what changed. Returns whether anything was checked.
  bool check(const OpenTexts& texts);
  /// Verifies the fixes of what is checked together with a file. Returns whether there was
  /// something to do.
  static bool verify(CheckedRoot& root, FileId file);
  /// The same for some files. False if all fixes are verified now.
  bool verify_some();

  /// By the folder's path, or by the URI of a document outside of all folders.
  [[nodiscard]] std::map<std::string, CheckedRoot>& roots() { return roots_; }
  /// Whether the diagnostics of a file come from this root: it is the innermost folder.
  [[nodiscard]] bool is_owner(const std::string& root, std::string_view path) const;
  /// The file of an open document, as it was checked.
  [[nodiscard]] RootFile find(const OpenText& text);
  /// The absolute path of a file of a project; `-` for an untitled document.
  [[nodiscard]] static std::string path_of(const CheckedRoot& root, const SourceFile& file);

 private:
  [[nodiscard]] std::string folder_of(std::string_view path) const;
  [[nodiscard]] bool follow(const OpenTexts& texts);
  void load(const std::string& name, CheckedRoot& root, const OpenTexts& texts) const;
  [[nodiscard]] bool take_changes(CheckedRoot& root, const OpenTexts& texts) const;

  const FileSystem& files_;
  std::map<std::string, CheckedRoot> roots_;
  std::set<std::string> changed_;  // URIs
};

/// Where the workloads of a root can run; computed once for each check.
[[nodiscard]] const Placements& place_root(CheckedRoot& root);
/// The pods that Flyte creates for the tasks of a root; computed once for each check.
[[nodiscard]] const CompiledPods& compile_root(CheckedRoot& root);

}  // namespace gpulint::server
