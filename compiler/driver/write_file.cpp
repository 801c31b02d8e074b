#include "compiler/driver/write_file.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gpulint {
namespace {

namespace fs = std::filesystem;

/// More names than this are never tried: each holds the process id, so the first is free unless a
/// run of the same id was killed here.
constexpr int temporary_name_attempts = 100;

[[nodiscard]] Error failure(std::string_view doing, int error = errno) {
  return {fmt::format("{}: {}", doing, std::generic_category().message(error))};
}

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  /// Closes now; false where the last bytes did not reach the file.
  [[nodiscard]] bool close() {
    const int number = number_;
    number_ = -1;
    return ::close(number) == 0;
  }

 private:
  int number_;
};

/// A file that is removed again unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target) {
    for (int attempt = 0; attempt < temporary_name_attempts; ++attempt) {
      path_ = target.parent_path() /
              fmt::format(".{}.{}-{}.gpulint-tmp", target.filename().string(), ::getpid(), attempt);
      number_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (number_ >= 0 || errno != EEXIST) return;
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (number_ >= 0 && !renamed_) ::unlink(path_.c_str());
  }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool rename_to(const fs::path& target) {
    renamed_ = ::rename(path_.c_str(), target.c_str()) == 0;
    return renamed_;
  }

 private:
  fs::path path_;
  int number_ = -1;
  bool renamed_ = false;
};

[[nodiscard]] bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Whether the file still holds exactly these bytes.
[[nodiscard]] bool still_holds(const fs::path& path, std::string_view expected) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return false;
  std::array<char, 1U << 16U> buffer{};
  while (true) {
    const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) return expected.empty();
    const std::string_view read(buffer.data(), static_cast<std::size_t>(count));
    if (!expected.starts_with(read)) return false;
    expected.remove_prefix(read.size());
  }
}

/// Gives the new file the mode and owner of the one it replaces.
[[nodiscard]] bool copy_ownership(int descriptor, const struct stat& old) {
  struct stat now {};
  if (::fstat(descriptor, &now) != 0) return false;
  if ((now.st_uid != old.st_uid || now.st_gid != old.st_gid) &&
      ::fchown(descriptor, old.st_uid, old.st_gid) != 0) {
    return false;
  }
  return ::fchmod(descriptor, old.st_mode & 07777U) == 0;
}

/// The rename itself survives a crash only once the folder is on disk. Not every file system can.
void sync_folder(const fs::path& folder) {
  const Descriptor descriptor(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.is_open()) static_cast<void>(::fsync(descriptor.number()));
}

/// `old`: what is there now; null where there is nothing. `expected`: null where any content may
/// go.
[[nodiscard]] std::optional<Error> put(const fs::path& target, const struct stat* old,
                                       const std::string_view* expected, std::string_view text) {
  TemporaryFile temporary(target);
  if (temporary.number() < 0) return failure("cannot make a temporary file beside it");
  Descriptor descriptor(temporary.number());
  if (old != nullptr && !copy_ownership(descriptor.number(), *old)) {
    return failure("cannot keep its mode and owner");
  }
  if (!write_all(descriptor.number(), text) || ::fsync(descriptor.number()) != 0) {
    return failure("cannot be written");
  }
  if (!descriptor.close()) return failure("cannot be written");
  if (expected != nullptr && !still_holds(target, *expected)) {
    return Error{"changed meanwhile; left alone"};
  }
  if (!temporary.rename_to(target)) return failure("cannot be replaced");
  sync_folder(target.parent_path());
  return std::nullopt;
}

/// Where links lead that end at nothing: the file is made there, and the links stay.
[[nodiscard]] fs::path end_of_links(fs::path path) {
  std::error_code error;
  for (int step = 0; step < 40 && fs::is_symlink(path, error); ++step) {
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return path;
}

[[nodiscard]] std::optional<Error> write_directly(const std::string& path, std::string_view text) {
  Descriptor descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!descriptor.is_open()) return failure("cannot be opened");
  if (!write_all(descriptor.number(), text) || !descriptor.close()) {
    return failure("cannot be written");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> replace_file(const std::string& path, std::string_view expected,
                                  std::string_view text) {
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  if (error) return failure("cannot be found", error.value());
  struct stat old {};
  if (::stat(target.c_str(), &old) != 0) return failure("cannot be found");
  if (!S_ISREG(old.st_mode)) return Error{"is no regular file"};
  return put(target, &old, &expected, text);
}

std::optional<Error> write_file(const std::string& path, std::string_view text) {
  struct stat old {};
  if (::stat(path.c_str(), &old) != 0) {
    if (errno != ENOENT) return failure("cannot be written");
    return put(end_of_links(path), nullptr, nullptr, text);
  }
  if (!S_ISREG(old.st_mode)) {
    if (S_ISDIR(old.st_mode)) return failure("cannot be written", EISDIR);
    return write_directly(path, text);
  }
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  return put(error ? fs::path(path) : target, &old, nullptr, text);
}

}  // namespace gpulint
