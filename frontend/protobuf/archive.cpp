#include "frontend/protobuf/archive.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <zlib.h>

#include "compiler/base/text.h"
#include "frontend/limits.h"

namespace gpulint {
namespace {

/// zlib's largest window, and 16 for gzip's header and trailer instead of its own (zlib.h).
constexpr int gzip_window = 15 + 16;

/// A stream of zlib that frees itself.
class Inflater {
 public:
  Inflater() { is_open_ = inflateInit2(&stream_, gzip_window) == Z_OK; }
  ~Inflater() {
    if (is_open_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  [[nodiscard]] bool is_open() const { return is_open_; }

  /// Appends the content of one member, and removes its bytes from `rest`. Empty: done.
  [[nodiscard]] std::string_view read_member(std::string_view& rest, std::string& out) {
    if (inflateReset(&stream_) != Z_OK) return "zlib failed";
    for (int state = Z_OK; state != Z_STREAM_END;) {
      const std::size_t given = std::min<std::size_t>(rest.size(), 1U << 20U);
      // zlib promises not to write there, and has no const in C89.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
      stream_.avail_in = static_cast<uInt>(given);
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      state = inflate(&stream_, Z_NO_FLUSH);
      rest.remove_prefix(given - stream_.avail_in);
      out.append(buffer_.data(), buffer_.size() - stream_.avail_out);
      if (out.size() > limits::unpacked_bytes) return "it unpacks to more than 256 MiB";
      if (state == Z_BUF_ERROR) return "it is cut off";
      if (state != Z_OK && state != Z_STREAM_END) return "it is damaged";
    }
    return {};
  }

 private:
  z_stream stream_ = {};
  std::array<char, 1U << 16U> buffer_;  // NOLINT(*-member-init): written before it is read
  bool is_open_ = false;
};

// POSIX.1-2017, pax, "ustar Interchange Format".
constexpr std::size_t block = 512;
constexpr std::size_t name_at = 0;
constexpr std::size_t name_size = 100;
constexpr std::size_t size_at = 124;
constexpr std::size_t size_size = 12;
constexpr std::size_t checksum_at = 148;
constexpr std::size_t checksum_size = 8;
constexpr std::size_t type_at = 156;
constexpr std::size_t magic_at = 257;
constexpr std::size_t prefix_at = 345;
constexpr std::size_t prefix_size = 155;

constexpr std::string_view cut_off = "its archive is cut off";

/// Text up to its NUL.
[[nodiscard]] std::string_view text_at(std::string_view header, std::size_t at, std::size_t size) {
  const std::string_view field = header.substr(at, size);
  return field.substr(0, field.find('\0'));
}

[[nodiscard]] std::optional<std::uint64_t> octal_at(std::string_view header, std::size_t at,
                                                    std::size_t size) {
  std::uint64_t value = 0;
  bool is_any = false;
  for (const char c : text_at(header, at, size)) {
    if (c == ' ' && !is_any) continue;
    if (c == ' ') break;
    if (c < '0' || c > '7') return std::nullopt;
    value = value * 8 + static_cast<unsigned>(c - '0');
    is_any = true;
  }
  return is_any ? std::optional(value) : std::nullopt;
}

/// The sum of a header's bytes, with blanks for the sum itself.
[[nodiscard]] bool has_right_checksum(std::string_view header) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < block; ++i) {
    const bool is_own = i >= checksum_at && i < checksum_at + checksum_size;
    sum += is_own ? ' ' : static_cast<unsigned char>(header[i]);
  }
  return octal_at(header, checksum_at, checksum_size) == sum;
}

[[nodiscard]] std::string name_of(std::string_view header) {
  std::string name(text_at(header, name_at, name_size));
  const bool is_posix = header.substr(magic_at, 6) == std::string_view("ustar\0", 6);
  const std::string_view prefix = is_posix ? text_at(header, prefix_at, prefix_size) : "";
  return prefix.empty() ? name : std::string(prefix) + "/" + name;
}

/// The records of a pax header about the file after it: `size key=value
/// `.
struct Extended {
  std::optional<std::string> name;
  std::optional<std::uint64_t> size;
};

[[nodiscard]] std::optional<std::uint64_t> decimal(std::string_view text) {
  if (text.empty() || text.size() > 18) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  return value;
}

[[nodiscard]] bool read_records(std::string_view records, Extended& into) {
  while (!records.empty()) {
    const std::size_t blank = records.find(' ');
    const auto size = decimal(records.substr(0, blank));
    if (!size || *size <= blank + 1 || *size > records.size()) return false;
    std::string_view record = records.substr(blank + 1, *size - blank - 1);
    records.remove_prefix(static_cast<std::size_t>(*size));
    if (!record.ends_with('\n')) return false;
    record.remove_suffix(1);
    const std::string_view key = take_part(record, '=');
    if (key == "path") into.name = std::string(record);
    if (key == "size") into.size = decimal(record);
  }
  return true;
}

class TarReader {
 public:
  explicit TarReader(std::string_view archive) : rest_(archive) {}

  [[nodiscard]] Result<std::vector<ArchivedFile>> read() && {
    for (std::size_t count = 0; !is_at_end(); ++count) {
      if (count == limits::archived_files) return Error{"its archive holds more than 20,000 files"};
      if (rest_.size() < block) return Error{std::string(cut_off)};
      if (const std::string_view why = read_entry(); !why.empty()) return Error{std::string(why)};
    }
    return std::move(files_);
  }

 private:
  /// A block of zeros ends an archive; so does the end of the file, to all readers.
  [[nodiscard]] bool is_at_end() const {
    return rest_.empty() || rest_.substr(0, block).find_first_not_of('\0') == rest_.npos;
  }

  [[nodiscard]] std::string_view read_entry() {
    const std::string_view header = rest_.substr(0, block);
    if (!has_right_checksum(header)) return "its archive is damaged";
    rest_.remove_prefix(block);
    const char type = header[type_at];
    const bool is_of_next = type == 'x' || type == 'g' || type == 'L' || type == 'K';
    auto size = octal_at(header, size_at, size_size);
    if (next_.size && !is_of_next) size = next_.size;
    if (!size) return "its archive holds a file of unknown size";
    if (*size > rest_.size()) return cut_off;
    const std::string_view bytes = rest_.substr(0, static_cast<std::size_t>(*size));
    rest_.remove_prefix(std::min(rest_.size(), (bytes.size() + block - 1) / block * block));
    if (type == 'x' && !read_records(bytes, next_)) return "its archive is damaged";
    if (type == 'L') next_.name = std::string(bytes.substr(0, bytes.find('\0')));
    if (is_of_next) return {};
    if (type == '0' || type == '\0')
      files_.push_back({next_.name.value_or(name_of(header)), bytes});
    next_ = {};
    return {};
  }

  std::string_view rest_;
  Extended next_;
  std::vector<ArchivedFile> files_;
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B"); }

Result<std::string> gunzip(std::string_view bytes) {
  Inflater inflater;
  if (!inflater.is_open()) return Error{"zlib could not be started"};
  std::string out;
  while (is_gzip(bytes)) {
    const std::string_view why = inflater.read_member(bytes, out);
    if (!why.empty()) return Error{std::string(why)};
  }
  return out;
}

bool is_tar(std::string_view bytes) {
  return bytes.size() >= block && bytes.substr(magic_at, 5) == "ustar";
}

Result<std::vector<ArchivedFile>> read_tar(std::string_view bytes) {
  return TarReader(bytes).read();
}

}  // namespace gpulint
