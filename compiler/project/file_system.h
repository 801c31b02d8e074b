#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/result.h"
#include "frontend/load.h"

namespace gpulint {

/// Identifies a file or folder: equal for all names and links of one file.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t number = 0;
  bool operator==(const FileIdentity&) const = default;
};

struct FileStatus {
  enum class Kind : std::uint8_t { missing, file, folder, other };
  Kind kind = Kind::missing;   ///< Of the target, after all links.
  bool is_link = false;        ///< The name itself is a symbolic link.
  FileIdentity identity = {};  ///< Of the target; meaningless if that is missing.

  [[nodiscard]] bool exists() const { return kind != Kind::missing; }
};

/// The number of links that Linux follows (path_resolution(7)).
inline constexpr int most_links = 40;

/// The files that a run reads and fixes. Paths are absolute or relative to current_folder(). All
/// functions except replace() may be called from several threads.
class FileSystem {
 public:
  FileSystem() = default;
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;
  virtual ~FileSystem() = default;

  [[nodiscard]] virtual std::string current_folder() const = 0;
  [[nodiscard]] virtual FileStatus status(const std::string& path) const = 0;
  /// The text of a symbolic link, which may be relative to its folder; empty for other files.
  [[nodiscard]] virtual std::string link_target(const std::string& path) const = 0;
  /// As read_file() of frontend/load.h; `-` is standard input.
  [[nodiscard]] virtual Result<DecodedBytes> read(const std::string& path) const = 0;
  /// As find_files() of frontend/load.h.
  [[nodiscard]] virtual FoundFiles find(const std::string& folder,
                                        const IsExcluded& is_excluded) const = 0;
  /// Every file and folder below a folder except `.git`, relative to the folder. Nullopt if there
  /// are more than `most`, or if some cannot be listed.
  [[nodiscard]] virtual std::optional<std::vector<std::string>> tree(const std::string& folder,
                                                                     std::size_t most) const = 0;
  /// As replace_file() of write_file.h.
  [[nodiscard]] virtual std::optional<Error> replace(const std::string& path,
                                                     std::string_view expected,
                                                     std::string_view text) = 0;
};

/// Whether two names lead to one existing file.
[[nodiscard]] bool is_same_file(const FileSystem& files, const std::string& one,
                                const std::string& other);

/// The file system of this machine.
[[nodiscard]] FileSystem& disk();

/// Texts by path, `-` for standard input. They replace the files of these paths.
using Overlay = std::map<std::string, DecodedBytes>;

/// Files in memory. Alone: the current folder is `/`, and git ignores nothing. In front of another
/// file system: they replace its files that are read by these names.
class MemoryFiles final : public FileSystem {
 public:
  explicit MemoryFiles(Overlay texts, const FileSystem* behind = nullptr);

  void set(const std::string& path, DecodedBytes text);
  void add_link(const std::string& path, const std::string& target);

  [[nodiscard]] std::string current_folder() const override;
  [[nodiscard]] FileStatus status(const std::string& path) const override;
  [[nodiscard]] std::string link_target(const std::string& path) const override;
  [[nodiscard]] Result<DecodedBytes> read(const std::string& path) const override;
  [[nodiscard]] FoundFiles find(const std::string& folder,
                                const IsExcluded& is_excluded) const override;
  [[nodiscard]] std::optional<std::vector<std::string>> tree(const std::string& folder,
                                                             std::size_t most) const override;
  [[nodiscard]] std::optional<Error> replace(const std::string& path, std::string_view expected,
                                             std::string_view text) override;

 private:
  [[nodiscard]] std::string whole(const std::string& path) const;
  [[nodiscard]] std::string follow(const std::string& path) const;
  [[nodiscard]] FileStatus status_of_text(const std::string& whole) const;

  const FileSystem* behind_;  // may be null
  Overlay texts_;             // by absolute path
  std::map<std::string, std::string> links_;
};

}  // namespace gpulint
