#pragma once

#include <filesystem>

namespace gpulint {

/// A temporary file next to `target`, `.NAME.PID-N.gpulint-tmp`. It is removed unless it was
/// renamed. Long names are cut. It is locked while it exists: other runs do not take it for a
/// leftover of a killed run.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Replaces `target`. If false, errno has the reason.
  [[nodiscard]] bool rename_to(const std::filesystem::path& target);
  /// Exchanges both files in one step; false if the file system does not support it.
  [[nodiscard]] bool exchange_with(const std::filesystem::path& target);

 private:
  std::filesystem::path path_;
  int number_ = -1;
  bool renamed_ = false;
};

/// Removes temporary files of killed runs from a folder.
void remove_stale_temporaries(const std::filesystem::path& folder);

}  // namespace gpulint
