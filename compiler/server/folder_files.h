#pragma once

#include <optional>
#include <string>

#include "compiler/project/file_system.h"

namespace gpulint::server {

/// A file system seen from a folder, with texts that replace its files. Unlike MemoryFiles in front
/// of a disk, a text that is not on disk is found in its folder. It never writes.
class FolderFiles final : public FileSystem {
 public:
  /// `folder` and the paths of `texts` are absolute (`-` is standard input). `behind` must outlive
  /// this.
  FolderFiles(std::string folder, Overlay texts, const FileSystem& behind);

  /// Replaces a file, given its absolute path; without a text it is the file on disk again.
  void set(const std::string& path, std::optional<DecodedBytes> text);

  [[nodiscard]] std::string current_folder() const override { return folder_; }
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

  std::string folder_;
  Overlay texts_;
  MemoryFiles new_texts_;  // those that are not on disk
  const FileSystem& behind_;
};

}  // namespace gpulint::server
