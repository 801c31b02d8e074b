#include "compiler/project/write_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "compiler/base/result.h"
#include "compiler/base/text.h"
#include "compiler/project/descriptor.h"
#include "compiler/project/temporary_file.h"

namespace gpulint {
namespace {

/// The limit of Linux for all names together, and for one value.
constexpr std::size_t most_attribute_bytes = 1U << 16U;

[[nodiscard]] std::vector<std::string> attribute_names(int file) {
  std::string list(most_attribute_bytes, '\0');
  const ssize_t size = ::flistxattr(file, list.data(), list.size());
  list.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  std::vector<std::string> names;
  for (std::string_view rest = list; !rest.empty();) names.emplace_back(take_part(rest, '\0'));
  return names;
}

[[nodiscard]] bool is_the_systems(std::string_view name) {
  return name.starts_with("security.") || name.starts_with("trusted.");
}

[[nodiscard]] bool copy_attribute(const std::string& name, int from, int to) {
  std::string value(most_attribute_bytes, '\0');
  const ssize_t size = ::fgetxattr(from, name.c_str(), value.data(), value.size());
  if (size < 0) return errno == ENODATA;
  return ::fsetxattr(to, name.c_str(), value.data(), static_cast<std::size_t>(size), 0) == 0;
}

[[nodiscard]] bool copy_owner(const struct stat& old, int to) {
  struct stat now{};
  if (::fstat(to, &now) != 0) return false;
  return (now.st_uid == old.st_uid && now.st_gid == old.st_gid) ||
         ::fchown(to, old.st_uid, old.st_gid) == 0;
}

/// Copies mode, owner and extended attributes (including access control lists) of the old file to
/// the new one. Attributes of the system (`security.*`, `trusted.*`) are copied if the user may set
/// them. An Error if another one cannot be copied.
[[nodiscard]] std::optional<Error> copy_attributes(const std::filesystem::path& from,
                                                   const struct stat& old, int to) {
  const auto failure = [](std::string_view what) {
    return Error{
        fmt::format("cannot preserve its {}: {}", what, std::generic_category().message(errno))};
  };
  if (!copy_owner(old, to)) return failure("owner");
  const Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const std::vector<std::string> names =
      source.is_open() ? attribute_names(source.number()) : std::vector<std::string>();
  // The new file may have the default access control list of the folder.
  for (const std::string& name : attribute_names(to)) {
    if (is_the_systems(name) || std::ranges::find(names, name) != names.end()) continue;
    if (::fremovexattr(to, name.c_str()) != 0) return failure("extended attributes");
  }
  if (::fchmod(to, old.st_mode & 07777U) != 0) return failure("mode");
  for (const std::string& name : names) {
    if (copy_attribute(name, source.number(), to) || is_the_systems(name)) continue;
    return failure(fmt::format("extended attribute {}", name));
  }
  return std::nullopt;
}

namespace fs = std::filesystem;

[[nodiscard]] Error failure(std::string_view doing, int error = errno) {
  return {fmt::format("{}: {}", doing, std::generic_category().message(error))};
}

[[nodiscard]] bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Whether the file contains exactly these bytes.
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

/// A rename survives a crash only after the folder is on disk. Some file systems do not support
/// this.
void sync_folder(const fs::path& folder) {
  const Descriptor descriptor(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.is_open()) static_cast<void>(::fsync(descriptor.number()));
}

/// Replaces the file. If the file system can exchange both, a change by another program since the
/// last check is in the old file, and is restored.
[[nodiscard]] std::optional<Error> replace_expected(TemporaryFile& temporary,
                                                    const fs::path& target,
                                                    std::string_view expected) {
  Error changed{"changed in the meantime; not written"};
  if (!still_holds(target, expected)) return changed;
  if (temporary.exchange_with(target)) {
    if (still_holds(temporary.path(), expected)) return std::nullopt;
    if (!temporary.exchange_with(target)) return failure("cannot be restored");
    return changed;
  }
  if (!temporary.rename_to(target)) return failure("cannot be replaced");
  return std::nullopt;
}

/// `old`: the existing file; null if there is none. `expected`: null if any content may be
/// replaced.
[[nodiscard]] std::optional<Error> put(const fs::path& target, const struct stat* old,
                                       const std::string_view* expected, std::string_view text) {
  TemporaryFile temporary(target);
  if (!temporary.is_open()) return failure("cannot create a temporary file next to it");
  if (old != nullptr) {
    if (auto error = copy_attributes(target, *old, temporary.number())) return error;
  }
  if (!write_all(temporary.number(), text) || ::fsync(temporary.number()) != 0) {
    return failure("cannot be written");
  }
  if (expected != nullptr) {
    if (auto error = replace_expected(temporary, target, *expected)) return error;
  } else if (!temporary.rename_to(target)) {
    return failure("cannot be replaced");
  }
  sync_folder(target.parent_path());
  return std::nullopt;
}

/// The target of dangling links: the file is created there, and the links stay.
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
  struct stat old{};
  if (::stat(target.c_str(), &old) != 0) return failure("cannot be found");
  if (!S_ISREG(old.st_mode)) return Error{"not a regular file"};
  return put(target, &old, &expected, text);
}

std::optional<Error> write_file(const std::string& path, std::string_view text) {
  struct stat old{};
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
