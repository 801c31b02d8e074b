#include "frontend/walk.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/glob.h"
#include "compiler/ir/python.h"
#include "frontend/load.h"
#include "frontend/repository.h"
#include "frontend/stream.h"

namespace gpulint {
namespace {

/// Applies the `.gitignore` files of a repository without running git. Tracked files, which git
/// checks first, are in GitIndex.
class GitIgnore {
 public:
  /// Adds the lines of a `.gitignore`. `folder` is its folder, relative to the repository and
  /// ending in `/` unless empty. Later files take precedence, so the root's comes first.
  void add(std::string_view folder, std::string_view text);

  enum class Entry : std::uint8_t { file, folder };
  /// Whether git ignores the path, which is relative to the repository. Does not check the folders
  /// above it: do not call it for a path below an ignored folder.
  [[nodiscard]] bool ignores(std::string_view path, Entry entry) const;

  /// The number of rules so far, for restore() when leaving a folder.
  [[nodiscard]] std::size_t size() const { return rules_.size(); }
  void restore(std::size_t size);

 private:
  struct Rule {
    std::string folder;  ///< The rule applies below it.
    GitPattern pattern;  ///< Without `!` and slashes at either end.
    bool is_negated = false;
    bool is_for_folders = false;
    bool is_anchored = false;  ///< Matches paths from `folder` on, not names anywhere.
  };
  void add_line(std::string_view folder, std::string_view line);
  [[nodiscard]] static bool matches(const Rule& rule, std::string_view path);

  std::vector<Rule> rules_;
};

/// Without trailing blanks, except those after a backslash.
[[nodiscard]] std::string_view trim_end(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == ' ') continue;
    if (line[at] == '\\') ++at;
    end = at + 1;
  }
  return line.substr(0, end);
}

namespace fs = std::filesystem;

constexpr std::uintmax_t max_index_bytes = 256U << 20U;
/// Version 4 omits the common beginning of names; real names do not expand more than this.
constexpr std::size_t max_expansion = 8;
constexpr std::size_t sha1_bytes = 20;
constexpr std::size_t sha256_bytes = 32;
constexpr std::size_t header_bytes = 12;
constexpr std::size_t mode_offset = 24;
constexpr std::size_t hash_offset = 40;
constexpr std::uint32_t folder_mode = 0040000;
constexpr std::uint32_t has_more_flags = 0x4000;

struct Listed {
  std::vector<std::string> paths;
  std::vector<std::string> folders;
  std::string shared;  // raw hash
};

/// Reads forward; a read beyond the end makes the whole index invalid.
class Reader {
 public:
  Reader(std::string_view bytes, std::size_t hash_bytes) : bytes_(bytes), hash_bytes_(hash_bytes) {}

  [[nodiscard]] std::optional<Listed> read() {
    if (bytes_.size() < header_bytes + hash_bytes_ || !bytes_.starts_with("DIRC")) return {};
    bytes_.remove_suffix(hash_bytes_);
    const std::uint32_t version = number(4);
    const std::uint32_t count = number(8);
    if (version < 2 || version > 4) return {};
    at_ = header_bytes;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!read_entry(version)) return {};
    }
    if (!read_extensions()) return {};
    return std::move(listed_);
  }

 private:
  [[nodiscard]] std::uint32_t number(std::size_t at) const {
    std::uint32_t value = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
      value = value << 8U | static_cast<unsigned char>(bytes_[i]);
    }
    return value;
  }

  [[nodiscard]] bool read_entry(std::uint32_t version) {
    const std::size_t begin = at_;
    const std::size_t flags_at = begin + hash_offset + hash_bytes_;
    if (bytes_.size() < flags_at + 2) return false;
    const std::uint32_t flags = std::uint32_t{static_cast<unsigned char>(bytes_[flags_at])} << 8U;
    at_ = flags_at + 2 + (version >= 3 && (flags & has_more_flags) != 0 ? 2U : 0U);
    if (version == 4 && !shorten_name()) return false;
    if (version != 4) name_.clear();
    const std::size_t end = at_ < bytes_.size() ? bytes_.find('\0', at_) : std::string_view::npos;
    if (end == std::string_view::npos) return false;
    name_.append(bytes_.substr(at_, end - at_));
    // Before version 4 entries are padded with one to eight NULs.
    at_ = version == 4 ? end + 1 : begin + (end - begin + 8) / 8 * 8;
    list(number(begin + mode_offset));
    return at_ <= bytes_.size() && listed_bytes_ <= max_expansion * bytes_.size();
  }

  /// Version 4 states how much of the end of the previous name is replaced.
  [[nodiscard]] bool shorten_name() {
    std::size_t dropped = 0;
    for (bool is_first = true;; is_first = false) {
      if (at_ >= bytes_.size() || dropped > bytes_.size()) return false;
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      dropped = ((is_first ? 0 : dropped + 1) << 7U) + (byte & 0x7FU);
      if ((byte & 0x80U) == 0) break;
    }
    if (dropped > name_.size()) return false;
    name_.resize(name_.size() - dropped);
    return true;
  }

  void list(std::uint32_t mode) {
    std::string name = name_;
    if (name.ends_with('/')) name.pop_back();
    if (name.empty()) return;
    listed_bytes_ += name.size();
    (mode == folder_mode ? listed_.folders : listed_.paths).push_back(std::move(name));
  }

  [[nodiscard]] bool read_extensions() {
    while (at_ + 8 <= bytes_.size()) {
      const std::size_t size = number(at_ + 4);
      if (size > bytes_.size() - at_ - 8) return false;
      if (bytes_.substr(at_, 4) == "link" && size >= hash_bytes_) {
        listed_.shared = bytes_.substr(at_ + 8, hash_bytes_);
      }
      at_ += 8 + size;
    }
    return at_ == bytes_.size();
  }

  std::string_view bytes_;
  std::size_t hash_bytes_;
  std::size_t at_ = 0;
  std::string name_;
  std::size_t listed_bytes_ = 0;
  Listed listed_;
};

[[nodiscard]] std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

[[nodiscard]] std::string read_bytes(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  if (fs::file_size(path, error) > max_index_bytes || error) return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void sort_once(std::vector<std::string>& names) {
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
}

namespace fs = std::filesystem;

[[nodiscard]] std::string read_text(const fs::path& path) {
  auto bytes = read_file(path);
  return bytes.ok() ? std::move(bytes).value().text : std::string{};
}

/// git does not follow links here, so a repository cannot make it read files elsewhere.
[[nodiscard]] std::string read_git_ignore(const fs::path& folder) {
  std::error_code error;
  const fs::path path = folder / ".gitignore";
  return fs::is_symlink(path, error) ? std::string{} : read_text(path);
}

/// The parts of a git work tree that decide which files are read.
struct Repository {
  explicit Repository(const fs::path& root) : git_folder(git_folder_of(root)) {
    ignore.add("", read_text(common_folder_of(git_folder) / "info" / "exclude"));
  }

  /// Read only when something is ignored.
  [[nodiscard]] const GitIndex& tracked() {
    if (!index) index = GitIndex::read(git_folder);
    return *index;
  }

  fs::path git_folder;
  GitIgnore ignore;
  std::optional<GitIndex> index;
};

/// Whether a Python source was installed, not written: in a virtual environment, or below packages
/// of another language.
[[nodiscard]] bool is_installed_source(std::string_view path) {
  if (!python::is_source(path)) return false;
  constexpr std::string_view folders[] = {"site-packages/", "dist-packages/", "node_modules/"};
  return std::ranges::any_of(folders, [&](std::string_view folder) {
    const std::size_t at = path.find(folder);
    return at != std::string_view::npos && (at == 0 || path[at - 1] == '/');
  });
}

/// The files to find in a folder.
enum class Wanted : std::uint8_t { all, tracked };

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

  /// A tracked file counts even if it is ignored.
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
    // below an ignored folder only tracked files count
    if (!is_left_out) return add_nested(path, inside, wanted);
    GitIndex const& tracked = repository_->tracked();
    if (tracked.tracks(inside) || tracked.tracks_below(inside)) {
      add_nested(path, inside, Wanted::tracked);
    }
  }

  /// A nested repository, such as a submodule, uses its own files.
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

void GitIgnore::add(std::string_view folder, std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  for (const auto part : std::views::split(text, '\n')) {
    std::string_view line(part.begin(), part.end());
    if (line.starts_with('#')) continue;
    if (line.ends_with('\r')) line.remove_suffix(1);
    add_line(folder, trim_end(line));
  }
}

void GitIgnore::add_line(std::string_view folder, std::string_view line) {
  const bool is_negated = line.starts_with('!');
  if (is_negated) line.remove_prefix(1);
  const bool is_for_folders = line.ends_with('/');
  if (is_for_folders) line.remove_suffix(1);
  const bool is_anchored = line.find('/') != std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return;
  rules_.push_back(
      {std::string(folder), GitPattern(line), is_negated, is_for_folders, is_anchored});
}

void GitIgnore::restore(std::size_t size) {
  rules_.erase(rules_.begin() + static_cast<std::ptrdiff_t>(size), rules_.end());
}

bool GitIgnore::matches(const Rule& rule, std::string_view path) {
  if (!path.starts_with(rule.folder)) return false;
  path.remove_prefix(rule.is_anchored ? rule.folder.size() : path.rfind('/') + 1);
  return rule.pattern.matches(path);
}

bool GitIgnore::ignores(std::string_view path, Entry entry) const {
  for (const Rule& rule : std::views::reverse(rules_)) {
    if (rule.is_for_folders && entry != Entry::folder) continue;
    if (matches(rule, path)) return !rule.is_negated;
  }
  return false;
}

GitIndex GitIndex::parse(std::string_view bytes) {
  GitIndex index;
  std::optional<Listed> listed = Reader(bytes, sha1_bytes).read();
  if (!listed) listed = Reader(bytes, sha256_bytes).read();
  if (!listed) return index;
  index.paths_ = std::move(listed->paths);
  index.folders_ = std::move(listed->folders);
  index.shared_ = hexadecimal(listed->shared);
  sort_once(index.paths_);
  return index;
}

GitIndex GitIndex::read(const fs::path& git_folder) {
  GitIndex index = parse(read_bytes(git_folder / "index"));
  // entries that the split part deletes stay listed: one file too many is read, none is lost
  if (!index.shared_.empty()) {
    index.add(parse(read_bytes(git_folder / fmt::format("sharedindex.{}", index.shared_))));
  }
  return index;
}

void GitIndex::add(GitIndex other) {
  std::ranges::move(other.paths_, std::back_inserter(paths_));
  std::ranges::move(other.folders_, std::back_inserter(folders_));
  sort_once(paths_);
}

bool GitIndex::tracks(std::string_view path) const {
  return std::ranges::binary_search(paths_, path) ||
         std::ranges::any_of(folders_, [&](std::string_view folder) {
           return path.size() > folder.size() && path.starts_with(folder) &&
                  path[folder.size()] == '/';
         });
}

bool GitIndex::tracks_below(std::string_view folder) const {
  const std::string below = std::string(folder) + "/";
  const auto first = std::ranges::lower_bound(paths_, below);
  if (first != paths_.end() && first->starts_with(below)) return true;
  return std::ranges::any_of(folders_, [&](const std::string& each) {
    return each == folder || each.starts_with(below) || below.starts_with(each + "/");
  });
}

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
