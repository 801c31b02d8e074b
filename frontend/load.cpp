#include "frontend/load.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/limits.h"

namespace gpulint {
namespace {

/// An open file that closes itself; standard input stays open.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ > STDIN_FILENO) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

[[nodiscard]] Error system_error(const std::string& path, int code) {
  return {fmt::format("{}: {}", path, std::system_category().message(code))};
}

/// `<(command)` and standard input: pipes that are open already.
[[nodiscard]] bool is_own_pipe(std::string_view path) {
  return path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/") || path == "/dev/stdin";
}

[[nodiscard]] std::optional<std::string> refusal(const struct stat& status, std::string_view path) {
  if (S_ISREG(status.st_mode) || is_own_pipe(path)) return std::nullopt;
  if (S_ISDIR(status.st_mode)) return "is a folder";
  if (S_ISFIFO(status.st_mode)) return "is a pipe, not a file";
  return "is no regular file";
}

/// Has the kernel put huge pages below a large buffer, which spares thousands of page faults. It
/// may refuse.
void ask_for_huge_pages(std::string& bytes) {
  constexpr std::uintptr_t huge_page = 2U << 20U;
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::uintptr_t first = (begin + huge_page - 1) / huge_page * huge_page;
  const std::uintptr_t last = (begin + bytes.capacity()) / huge_page * huge_page;
  if (first < last) madvise(bytes.data() + (first - begin), last - first, MADV_HUGEPAGE);
}

/// `expected`: bytes in a regular file, after which none is asked for; 0: unknown.
[[nodiscard]] Result<DecodedBytes> read_all(int descriptor, const std::string& path,
                                            std::size_t expected) {
  std::string bytes;
  bytes.reserve(expected);
  ask_for_huge_pages(bytes);
  std::array<char, 1U << 16U> buffer;  // NOLINT(*-member-init): zeros cost more than a small file
  while (expected == 0 || bytes.size() < expected) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(path, errno);
    if (count == 0) break;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
    if (bytes.size() > limits::file_bytes) {
      return Error{fmt::format("{}: larger than 1 GiB", path)};
    }
  }
  return decode_bytes(std::move(bytes));
}

}  // namespace

Result<DecodedBytes> read_file(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input", 0);
  // Without O_NONBLOCK a pipe that nobody writes to would never open.
  const int blocking = is_own_pipe(path) ? 0 : O_NONBLOCK;
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | blocking));
  if (!file.is_open()) return system_error(path, errno);
  struct stat status{};
  if (fstat(file.number(), &status) != 0) return system_error(path, errno);
  if (const auto why = refusal(status, path)) return Error{fmt::format("{}: {}", path, *why)};
  const auto size = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
  if (size > limits::file_bytes) return Error{fmt::format("{}: larger than 1 GiB", path)};
  return read_all(file.number(), path, static_cast<std::size_t>(size));
}

}  // namespace gpulint
