#pragma once

#include <filesystem>

namespace gpulint {

/// A file beside another, `.NAME.PID-N.gpulint-tmp`, that is removed again unless it took the
/// other's place. Long names are cut. It is locked while it is there, so that nobody takes it for
/// one that a killed run left.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Takes the other's place; errno says why not.
  [[nodiscard]] bool rename_to(const std::filesystem::path& target);
  /// Both take each other's place at once; false where the file system cannot do that.
  [[nodiscard]] bool exchange_with(const std::filesystem::path& target);

 private:
  std::filesystem::path path_;
  int number_ = -1;
  bool renamed_ = false;
};

/// Removes from a folder the temporary files of runs that are no more.
void remove_stale_temporaries(const std::filesystem::path& folder);

}  // namespace gpulint
