#include <filesystem>
#include <system_error>

#include <sys/stat.h>

#include "compiler/project/file_system.h"
#include "compiler/project/write_file.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] FileStatus::Kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileStatus::Kind::file;
  return S_ISDIR(mode) ? FileStatus::Kind::folder : FileStatus::Kind::other;
}

class Disk final : public FileSystem {
 public:
  [[nodiscard]] std::string current_folder() const override {
    std::error_code error;
    return fs::current_path(error).string();
  }

  [[nodiscard]] FileStatus status(const std::string& path) const override {
    struct stat status{};
    FileStatus result;
    if (::lstat(path.c_str(), &status) != 0) return result;
    result.is_link = S_ISLNK(status.st_mode);
    if (result.is_link && ::stat(path.c_str(), &status) != 0) return result;
    result.kind = kind_of(status.st_mode);
    result.identity = {status.st_dev, status.st_ino};
    return result;
  }

  [[nodiscard]] std::string link_target(const std::string& path) const override {
    std::error_code error;
    return fs::read_symlink(path, error).string();
  }

  [[nodiscard]] Result<DecodedBytes> read(const std::string& path) const override {
    return read_file(path);
  }

  [[nodiscard]] FoundFiles find(const std::string& folder,
                                const IsExcluded& is_excluded) const override {
    return find_files(folder, is_excluded);
  }

  [[nodiscard]] std::optional<std::vector<std::string>> tree(const std::string& folder,
                                                             std::size_t most) const override {
    std::vector<std::string> entries;
    std::error_code error;
    fs::recursive_directory_iterator at(folder, error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
      if (entries.size() == most) return std::nullopt;
      if (at->path().filename() == ".git") {
        at.disable_recursion_pending();
        continue;
      }
      entries.push_back(at->path().lexically_proximate(folder).generic_string());
    }
    if (error) return std::nullopt;
    return entries;
  }

  [[nodiscard]] std::optional<Error> replace(const std::string& path, std::string_view expected,
                                             std::string_view text) override {
    return replace_file(path, expected, text);
  }
};

}  // namespace

FileSystem& disk() {
  static Disk instance;
  return instance;
}

}  // namespace gpulint
