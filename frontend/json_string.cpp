#include "frontend/json_string.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "compiler/base/text.h"
#include "frontend/encoding.h"

namespace gpulint {
namespace {

/// Bytes that a string goes on over.
constexpr std::array<bool, 256> is_string_byte = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0x20; c < 256; ++c) table[c] = c != '"' && c != '\\';
  return table;
}();

[[nodiscard]] std::optional<char> simple_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return std::nullopt;
  }
}

/// Reads what escapes stand for.
class Escapes {
 public:
  Escapes(const char* at, const char* end) : at_(at), end_(end) {}

  /// The rest of a string from its first escape on, up to the closing quote.
  [[nodiscard]] const char* read(std::string& value) {
    while (at_ != end_ && *at_ == '\\') {
      if (++at_ == end_) return nullptr;
      if (*at_ == 'u') {
        if (!read_unicode(value)) return nullptr;
      } else {
        const auto c = simple_escape(*at_);
        if (!c) return nullptr;
        value += *c;
        ++at_;
      }
      const char* const first = at_;
      at_ = behind_string_bytes(at_, end_);
      value.append(first, at_);
    }
    return at_ != end_ && *at_ == '"' ? at_ : nullptr;
  }

 private:
  [[nodiscard]] std::optional<std::uint32_t> read_hex() {
    if (end_ - at_ < 5 || *at_ != 'u') return std::nullopt;
    std::uint32_t unit = 0;
    for (int i = 1; i <= 4; ++i) {
      const char c = static_cast<char>(at_[i] | 0x20);
      const bool is_letter = c >= 'a' && c <= 'f';
      if (!is_digit(at_[i]) && !is_letter) return std::nullopt;
      unit = unit << 4U | static_cast<std::uint32_t>(is_letter ? c - 'a' + 10 : at_[i] - '0');
    }
    at_ += 5;
    return unit;
  }

  /// `\uXXXX`, or two of them that are one character; a lone half becomes U+FFFD as in Go.
  [[nodiscard]] bool read_unicode(std::string& value) {
    constexpr std::uint32_t replacement = 0xFFFD;
    const auto unit = read_hex();
    if (!unit) return false;
    if (*unit < 0xD800 || *unit >= 0xE000) {
      append_utf8(value, *unit);
      return true;
    }
    const char* const behind = at_;
    if (*unit < 0xDC00 && end_ - at_ >= 6 && at_[0] == '\\' && at_[1] == 'u') {
      ++at_;
      const auto low = read_hex();
      if (!low) return false;
      if (*low >= 0xDC00 && *low < 0xE000) {
        append_utf8(value, 0x10000 + ((*unit - 0xD800) << 10U) + (*low - 0xDC00));
        return true;
      }
      at_ = behind;
    }
    append_utf8(value, replacement);
    return true;
  }

  const char* at_;
  const char* end_;
};

}  // namespace

const char* behind_string_bytes(const char* at, const char* end) {
  while (at != end && is_string_byte[static_cast<unsigned char>(*at)]) ++at;
  return at;
}

const char* decode_escapes(const char* at, const char* end, std::string& value) {
  return Escapes(at, end).read(value);
}

}  // namespace gpulint
