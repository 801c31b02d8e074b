#include "compiler/project/temporary_file.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "compiler/project/descriptor.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

/// The first name is free unless a run with the same process id was killed here.
constexpr int name_attempts = 100;
/// In bytes: the limit of most file systems.
constexpr std::size_t longest_name = 255;
constexpr std::string_view name_end = ".gpulint-tmp";

/// The first `length` bytes of a name, without a part of a character.
[[nodiscard]] std::string_view shorten_name(std::string_view name, std::size_t length) {
  if (name.size() <= length) return name;
  while (length > 0 && (static_cast<unsigned char>(name[length]) & 0xC0U) == 0x80U) --length;
  return name.substr(0, length);
}

[[nodiscard]] fs::path temporary_path(const fs::path& target, int attempt) {
  const std::string mark = fmt::format(".{}-{}{}", ::getpid(), attempt, name_end);
  const std::string name = target.filename().string();
  return target.parent_path() /
         fmt::format(".{}{}", shorten_name(name, longest_name - mark.size() - 1), mark);
}

/// The process id in the name of a temporary file; nullopt for other names.
[[nodiscard]] std::optional<pid_t> maker_of(std::string_view name) {
  if (!name.starts_with('.') || !name.ends_with(name_end)) return std::nullopt;
  name.remove_suffix(name_end.size());
  const std::size_t dash = name.rfind('-');
  const std::size_t dot = name.rfind('.', dash);
  if (dash == std::string_view::npos || dot == 0 || dot == std::string_view::npos) {
    return std::nullopt;
  }
  if (name.find_first_not_of("0123456789", dash + 1) != std::string_view::npos) return std::nullopt;
  pid_t process = 0;
  const auto [end, error] = std::from_chars(name.data() + dot + 1, name.data() + dash, process);
  if (error != std::errc() || end != name.data() + dash || process <= 0) return std::nullopt;
  return process;
}

/// Whether another run uses the file. In containers, process ids are not enough to know.
[[nodiscard]] bool is_locked(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return !file.is_open() || ::flock(file.number(), LOCK_EX | LOCK_NB) != 0;
}

}  // namespace

TemporaryFile::TemporaryFile(const fs::path& target) {
  for (int attempt = 0; attempt < name_attempts; ++attempt) {
    path_ = temporary_path(target, attempt);
    number_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number_ >= 0) static_cast<void>(::flock(number_, LOCK_EX | LOCK_NB));
    if (number_ >= 0 || errno != EEXIST) return;
  }
}

TemporaryFile::~TemporaryFile() {
  if (number_ < 0) return;
  if (!renamed_) ::unlink(path_.c_str());
  ::close(number_);
}

bool TemporaryFile::rename_to(const fs::path& target) {
  renamed_ = ::rename(path_.c_str(), target.c_str()) == 0;
  return renamed_;
}

bool TemporaryFile::exchange_with(const fs::path& target) {
  return ::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0;
}

void remove_stale_temporaries(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  for (const auto end = fs::directory_iterator(); !error && entries != end;
       entries.increment(error)) {
    const std::optional<pid_t> maker = maker_of(entries->path().filename().string());
    if (!maker || entries->symlink_status(error).type() != fs::file_type::regular) continue;
    if (::kill(*maker, 0) == 0 || errno != ESRCH || is_locked(entries->path())) continue;
    ::unlink(entries->path().c_str());
  }
}

}  // namespace gpulint
