#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/python.h"
#include "frontend/git_ignore.h"
#include "frontend/git_index.h"
#include "frontend/load.h"
#include "frontend/repository.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] std::string read_text(const fs::path& path) {
  auto bytes = read_file(path);
  return bytes.ok() ? std::move(bytes).value().text : std::string{};
}

/// git does not follow links here, so that no repository has it read a file elsewhere.
[[nodiscard]] std::string read_git_ignore(const fs::path& folder) {
  std::error_code error;
  const fs::path path = folder / ".gitignore";
  return fs::is_symlink(path, error) ? std::string{} : read_text(path);
}

/// A git work tree, as far as it decides which files count.
struct Repository {
  explicit Repository(const fs::path& root) : git_folder(git_folder_of(root)) {
    ignore.add("", read_text(common_folder_of(git_folder) / "info" / "exclude"));
  }

  /// Read only once something is ignored.
  [[nodiscard]] const GitIndex& tracked() {
    if (!index) index = GitIndex::read(git_folder);
    return *index;
  }

  fs::path git_folder;
  GitIgnore ignore;
  std::optional<GitIndex> index;
};

/// Whether a Python source was installed, not written: those of a virtual environment, or below
/// packages of another language.
[[nodiscard]] bool is_installed_source(std::string_view path) {
  if (!python::is_source(path)) return false;
  constexpr std::string_view folders[] = {"site-packages/", "dist-packages/", "node_modules/"};
  return std::ranges::any_of(folders, [&](std::string_view folder) {
    const std::size_t at = path.find(folder);
    return at != std::string_view::npos && (at == 0 || path[at - 1] == '/');
  });
}

/// What is looked for in a folder.
enum class Wanted { all, tracked };

/// Walks one folder, with the `.gitignore` files from the repository's root down to each folder.
class Walk {
 public:
  explicit Walk(const IsExcluded& is_excluded) : is_excluded_(is_excluded) {}

  [[nodiscard]] FoundFiles run(const fs::path& folder) {
    std::string inside;
    enter_repository(folder, inside);
    add_folder(folder, inside, Wanted::all);
    std::ranges::sort(found_.paths);
    return std::move(found_);
  }

 private:
  /// Finds the repository around `folder` and reads what is above the folder itself. `inside`
  /// becomes the folder's path in the repository, ending in `/` unless empty.
  void enter_repository(const fs::path& folder, std::string& inside) {
    std::error_code error;
    const fs::path absolute = fs::weakly_canonical(folder, error);
    const std::optional<fs::path> root = repository_above(absolute);
    if (!root) return;
    repository_.emplace(*root);
    fs::path above = *root;
    for (const fs::path& part : absolute.lexically_relative(*root)) {
      if (part == ".") break;
      repository_->ignore.add(inside, read_git_ignore(above));
      above /= part;
      inside += part.string() + "/";
    }
  }

  // Recursion is bounded by the length that the system allows for a path.
  void add_folder(const fs::path& folder, const std::string& inside, Wanted wanted) {
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    if (error) {
      found_.errors.push_back(
          {fmt::format("{}: {}", folder.string(), std::system_category().message(error.value()))});
      return;
    }
    const std::size_t rules = repository_ ? repository_->ignore.size() : 0;
    if (repository_) repository_->ignore.add(inside, read_git_ignore(folder));
    for (const auto end = fs::directory_iterator(); entries != end; entries.increment(error)) {
      if (error) break;
      add_entry(*entries, folder, inside, wanted);
    }
    if (repository_) repository_->ignore.restore(rules);
  }

  void add_entry(const fs::directory_entry& entry, const fs::path& folder,
                 const std::string& inside, Wanted wanted) {
    std::error_code error;
    const std::string& full = entry.path().native();
    const std::string name = full.substr(full.rfind('/') + 1);
    const std::string& path = folder == "." ? name : full;
    if (!entry.is_symlink(error) && entry.is_directory(error)) {
      if (name != ".git" && !is_excluded(path)) add_subfolder(path, inside + name, wanted);
      return;
    }
    if (!has_read_name(name) || is_installed_source(path)) return;
    if (!entry.is_regular_file(error) || is_excluded(path)) return;
    if (is_wanted(inside + name, wanted)) found_.paths.push_back(path);
  }

  [[nodiscard]] bool is_excluded(const std::string& path) const {
    return is_excluded_ && is_excluded_(path);
  }

  /// A file that git tracks counts, whatever is said about ignoring it.
  [[nodiscard]] bool is_wanted(const std::string& inside, Wanted wanted) {
    if (!repository_) return true;
    const bool is_left_out =
        wanted == Wanted::tracked || repository_->ignore.ignores(inside, GitIgnore::Entry::file);
    return !is_left_out || repository_->tracked().tracks(inside);
  }

  void add_subfolder(const std::string& path, const std::string& inside, Wanted wanted) {
    if (!repository_) return add_nested(path, inside, wanted);
    const bool is_left_out =
        wanted == Wanted::tracked || repository_->ignore.ignores(inside, GitIgnore::Entry::folder);
    // Below an ignored folder nothing counts again but what is tracked.
    if (!is_left_out) return add_nested(path, inside, wanted);
    GitIndex const& tracked = repository_->tracked();
    if (tracked.tracks(inside) || tracked.tracks_below(inside)) {
      add_nested(path, inside, Wanted::tracked);
    }
  }

  /// A repository of its own, as submodules are, is judged by its own files.
  void add_nested(const std::string& path, const std::string& inside, Wanted wanted) {
    std::error_code error;
    if (!fs::exists(fs::path(path) / ".git", error)) return add_folder(path, inside + "/", wanted);
    std::optional<Repository> outer(std::in_place, path);
    std::swap(outer, repository_);
    add_folder(path, "", Wanted::all);
    std::swap(outer, repository_);
  }

  const IsExcluded& is_excluded_;
  FoundFiles found_;
  std::optional<Repository> repository_;
};

}  // namespace

bool has_read_name(std::string_view name) {
  if (name == "Kustomization") return true;
  constexpr std::string_view extensions[] = {".yaml", ".yml", ".json", ".py"};
  return std::ranges::any_of(extensions, [&](std::string_view extension) {
    return name.size() > extension.size() && name.ends_with(extension);
  });
}

FoundFiles find_files(const std::string& folder, const IsExcluded& is_excluded) {
  return Walk(is_excluded).run(folder);
}

}  // namespace gpulint
