#include <algorithm>
#include <array>
#include <cstddef>

#include <zlib.h>

#include "frontend/limits.h"
#include "frontend/protobuf/archive.h"

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

  /// Appends what one member of the file holds, and takes its bytes from `rest`. Empty: done.
  [[nodiscard]] std::string_view read_member(std::string_view& rest, std::string& out) {
    if (inflateReset(&stream_) != Z_OK) return "zlib gave up";
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

}  // namespace gpulint
