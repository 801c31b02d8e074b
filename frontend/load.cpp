#include "frontend/load.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/text.h"
#include "frontend/limits.h"

namespace gpulint {
namespace {

constexpr std::uint32_t replacement = 0xFFFD;

[[nodiscard]] std::uint32_t byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

[[nodiscard]] bool is_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xE000; }

[[nodiscard]] std::string decode_utf16(std::string_view bytes, bool big_endian) {
  const auto unit_at = [&](std::size_t at) {
    const std::uint32_t first = byte_at(bytes, at);
    const std::uint32_t second = byte_at(bytes, at + 1);
    return big_endian ? first << 8U | second : second << 8U | first;
  };
  std::string text;
  text.reserve(bytes.size());
  std::size_t at = 2;
  for (; at + 1 < bytes.size(); at += 2) {
    const std::uint32_t unit = unit_at(at);
    const std::uint32_t next = at + 3 < bytes.size() ? unit_at(at + 2) : 0;
    if (unit >= 0xD800 && unit < 0xDC00 && next >= 0xDC00 && next < 0xE000) {
      append_utf8(text, 0x10000 + ((unit - 0xD800) << 10U) + (next - 0xDC00));
      at += 2;
    } else {
      append_utf8(text, is_surrogate(unit) ? replacement : unit);
    }
  }
  if (at < bytes.size()) append_utf8(text, replacement);
  return text;
}

[[nodiscard]] bool has_lone_return(std::string_view text) {
  for (std::size_t at = 0; (at = text.find('\r', at)) != std::string_view::npos; ++at) {
    if (at + 1 == text.size() || text[at + 1] != '\n') return true;
  }
  return false;
}

[[nodiscard]] std::string without_lone_returns(std::string text) {
  for (std::size_t at = 0; (at = text.find('\r', at)) != std::string::npos; ++at) {
    if (at + 1 == text.size() || text[at + 1] != '\n') text[at] = '\n';
  }
  return text;
}

/// The code point of a valid sequence.
[[nodiscard]] std::uint32_t code_point(std::string_view sequence) {
  if (sequence.size() == 1) return byte_at(sequence, 0);
  std::uint32_t result = byte_at(sequence, 0) & (0x7FU >> sequence.size());
  for (std::size_t i = 1; i < sequence.size(); ++i) {
    result = result << 6U | (byte_at(sequence, i) & 0x3FU);
  }
  return result;
}

[[nodiscard]] bool is_allowed(std::uint32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c < 0x7F || c == 0x85 || (c >= 0xA0 && c < 0xFFFE) || c >= 0x10000;
}

constexpr std::array<bool, 256> is_plain_ascii = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0x20; c < 0x7F; ++c) table[c] = true;
  table['\t'] = table['\n'] = table['\r'] = true;
  return table;
}();

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

/// `<(command)` and standard input: pipes that are already open.
[[nodiscard]] bool is_own_pipe(std::string_view path) {
  return path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/") || path == "/dev/stdin";
}

[[nodiscard]] std::optional<std::string> refusal(const struct stat& status, std::string_view path) {
  if (S_ISREG(status.st_mode) || is_own_pipe(path)) return std::nullopt;
  if (S_ISDIR(status.st_mode)) return "is a folder";
  if (S_ISFIFO(status.st_mode)) return "is a pipe, not a file";
  return "is not a regular file";
}

/// Requests huge pages for a large buffer, which saves thousands of page faults. The kernel may
/// refuse.
void ask_for_huge_pages(std::string& bytes) {
  constexpr std::uintptr_t huge_page = 2U << 20U;
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::uintptr_t first = (begin + huge_page - 1) / huge_page * huge_page;
  const std::uintptr_t last = (begin + bytes.capacity()) / huge_page * huge_page;
  if (first < last) madvise(bytes.data() + (first - begin), last - first, MADV_HUGEPAGE);
}

/// `expected`: the size of a regular file, after which reading stops; 0: unknown.
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

DecodedBytes decode_bytes(std::string bytes) {
  const bool is_big = bytes.starts_with("\xFE\xFF");
  const bool is_little = bytes.starts_with("\xFF\xFE");
  if (!is_big && !is_little && !has_lone_return(bytes)) return {std::move(bytes)};
  DecodedBytes decoded(
      is_big || is_little ? decode_utf16(bytes, is_big) : without_lone_returns(bytes),
      SourceFile::Encoding::transcoded);
  decoded.original = std::move(bytes);
  return decoded;
}

std::optional<UnreadableCharacter> find_unreadable(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (is_plain_ascii[byte_at(text, at)]) {
      ++at;
      continue;
    }
    const auto begin = static_cast<std::uint32_t>(at);
    const std::uint32_t length = utf8_length(text.substr(at));
    if (length == 0) {
      return UnreadableCharacter{
          begin, begin + 1, fmt::format("byte 0x{:02X} is not valid UTF-8", byte_at(text, at))};
    }
    const std::uint32_t c = code_point(text.substr(at, length));
    if (!is_allowed(c)) {
      return UnreadableCharacter{begin, begin + length,
                                 fmt::format("character U+{:04X} is not allowed in YAML", c)};
    }
    at += length;
  }
  return std::nullopt;
}

std::uint32_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const std::uint32_t first = byte_at(text, 0);
  if (first < 0x80) return 1;
  const std::uint32_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::uint32_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0U) != 0x80) return 0;
  }
  const std::uint32_t c = code_point(text.substr(0, length));
  constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  return c < smallest[length] || c > 0x10FFFF || is_surrogate(c) ? 0 : length;
}

Result<DecodedBytes> read_file(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input", 0);
  // without O_NONBLOCK, opening a pipe without a writer would block forever
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
