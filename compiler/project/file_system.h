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

/// What a name stands for: the same for all names of one file.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t number = 0;
  bool operator==(const FileIdentity&) const = default;
};

struct FileStatus {
  enum class Kind : std::uint8_t { missing, file, folder, other };
  Kind kind = Kind::missing;   ///< Of what the name leads to in the end.
  bool is_link = false;        ///< Whether the name itself is a symbolic link.
  FileIdentity identity = {};  ///< Of what it leads to; meaningless where that is missing.

  [[nodiscard]] bool exists() const { return kind != Kind::missing; }
};

/// As many links as Linux follows (path_resolution(7)).
inline constexpr int most_links = 40;

/// Everything that finding and reading inputs, and writing fixes, asks of the machine. Paths are
/// absolute or relative to current_folder(); all may be called from several threads, but replace().
class FileSystem {
 public:
  FileSystem() = default;
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;
  virtual ~FileSystem() = default;

  [[nodiscard]] virtual std::string current_folder() const = 0;
  [[nodiscard]] virtual FileStatus status(const std::string& path) const = 0;
  /// What a symbolic link says, which may be relative to its folder; empty where it is none.
  [[nodiscard]] virtual std::string link_target(const std::string& path) const = 0;
  /// As read_file() of frontend/load.h; `-` is standard input.
  [[nodiscard]] virtual Result<DecodedBytes> read(const std::string& path) const = 0;
  /// As find_files() of frontend/load.h.
  [[nodiscard]] virtual FoundFiles find(const std::string& folder,
                                        const IsExcluded& is_excluded) const = 0;
  /// Every file and folder below a folder, relative to it, but for `.git`; nothing where there are
  /// more than `most` or some cannot be listed.
  [[nodiscard]] virtual std::optional<std::vector<std::string>> tree(const std::string& folder,
                                                                     std::size_t most) const = 0;
  /// As replace_file() of write_file.h.
  [[nodiscard]] virtual std::optional<Error> replace(const std::string& path,
                                                     std::string_view expected,
                                                     std::string_view text) = 0;
};

/// Whether two names lead to one file that is there.
[[nodiscard]] bool is_same_file(const FileSystem& files, const std::string& one,
                                const std::string& other);

/// The machine's own.
[[nodiscard]] FileSystem& disk();

/// Overlay by path, `-` for standard input.
using Overlay = std::map<std::string, DecodedBytes>;

/// Files in memory: alone (with `/` as the current folder, nothing ignored by git), or in front of
/// others, for which they stand wherever those are read by name.
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
