#include "compiler/inputs/file_attributes.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "compiler/base/text.h"
#include "compiler/inputs/descriptor.h"

namespace gpulint {
namespace {

/// As much as Linux takes for all names, and for one value.
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

}  // namespace

std::optional<Error> copy_attributes(const std::filesystem::path& from, const struct stat& old,
                                     int to) {
  const auto failure = [](std::string_view what) {
    return Error{
        fmt::format("cannot keep its {}: {}", what, std::generic_category().message(errno))};
  };
  if (!copy_owner(old, to)) return failure("owner");
  const Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const std::vector<std::string> names =
      source.is_open() ? attribute_names(source.number()) : std::vector<std::string>();
  // The folder's default access control list may have come with the new file.
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

}  // namespace gpulint
