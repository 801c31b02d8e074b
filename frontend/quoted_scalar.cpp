#include "frontend/quoted_scalar.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "compiler/base/text.h"
#include "frontend/line_breaks.h"
#include "frontend/load.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_blank(char c) { return c == ' ' || c == '\t'; }

struct Escape {
  char letter;
  std::uint32_t code_point;
};

/// `\/` is missing on purpose: it belongs to YAML 1.2 and JSON, and libyaml refuses it.
constexpr std::array<Escape, 18> escapes{{{'0', 0},
                                          {'a', 0x07},
                                          {'b', 0x08},
                                          {'t', 0x09},
                                          {'\t', 0x09},
                                          {'n', 0x0A},
                                          {'v', 0x0B},
                                          {'f', 0x0C},
                                          {'r', 0x0D},
                                          {'e', 0x1B},
                                          {' ', ' '},
                                          {'"', '"'},
                                          {'\'', '\''},
                                          {'\\', '\\'},
                                          {'N', 0x85},
                                          {'_', 0xA0},
                                          {'L', 0x2028},
                                          {'P', 0x2029}}};

[[nodiscard]] std::uint32_t hex_length(char letter) {
  return letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
}

[[nodiscard]] std::optional<std::uint32_t> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0');
  const char lower = static_cast<char>(c | 0x20);
  if (lower >= 'a' && lower <= 'f') return static_cast<std::uint32_t>(lower - 'a' + 10);
  return std::nullopt;
}

class Reader {
 public:
  Reader(std::string_view text, std::vector<TextOrigin::Piece>* origin)
      : text_(text), quote_(text[0]), origin_(origin) {}

  [[nodiscard]] QuotedScalar read() {
    mark_origin();
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == quote_) {
        if (quote_ == '"' || peek(1) != '\'') return finish();
        skip(1);
        copy();
      } else if (quote_ == '"' && c == '\\') {
        read_escape();
      } else if (is_blank(c) || is_at_break()) {
        read_blanks();
      } else {
        copy();
      }
    }
    refuse(0, 1, "this quote is never closed");
    result_.size = static_cast<std::uint32_t>(text_.size());
    return std::move(result_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void refuse(std::size_t begin, std::size_t end, const char* message) {
    if (result_.problem) return;
    const std::size_t last = std::min(end, text_.size());  // the text may end inside an escape
    result_.problem =
        QuotedProblem{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(last), message};
  }
  void mark_origin() {
    if (origin_ == nullptr) return;
    const auto decoded = static_cast<std::uint32_t>(result_.value.size());
    const auto written = static_cast<std::uint32_t>(at_);
    if (!origin_->empty() && origin_->back().decoded == decoded) {
      origin_->back().file = written;
    } else {
      origin_->push_back({decoded, written});
    }
  }
  void copy() { result_.value += text_[at_++]; }
  void skip(std::size_t count) {
    at_ += count;
    mark_origin();
  }
  [[nodiscard]] QuotedScalar finish() {
    result_.size = static_cast<std::uint32_t>(at_ + 1);
    return std::move(result_);
  }

  [[nodiscard]] bool is_at_break() const { return break_length(text_.substr(at_)) > 0; }
  /// Skips a line break and returns its text in the value.
  std::string_view skip_break() {
    const std::string_view text = text_.substr(at_, break_length(text_.substr(at_)));
    at_ += text.size();
    if (is_other_break(text)) result_.has_other_breaks = true;
    return break_value(text);
  }

  /// Keeps blanks within a line and drops them around a line break. The break becomes a blank, or
  /// as many breaks as there are empty lines.
  void read_blanks() {
    const std::size_t begin = at_;
    while (is_blank(peek(0))) ++at_;
    if (!is_at_break()) {
      result_.value += text_.substr(begin, at_ - begin);
      return;
    }
    const std::string_view first = skip_break();
    const std::string empty_lines = skip_empty_lines();
    if (first != "\n") return append_folded(begin, std::string(first) + empty_lines);
    append_folded(begin, empty_lines.empty() ? " " : empty_lines);
  }

  /// Skips blanks and breaks; gives the breaks.
  [[nodiscard]] std::string skip_empty_lines() {
    std::string breaks;
    while (is_blank(peek(0)) || is_at_break()) {
      if (is_at_break()) {
        breaks += skip_break();
      } else {
        ++at_;
      }
    }
    return breaks;
  }

  /// The value gets `text` for all from `begin` to here.
  void append_folded(std::size_t begin, const std::string& text) {
    const std::size_t end = at_;
    at_ = begin;
    mark_origin();
    result_.value += text;
    at_ = end;
    mark_origin();
  }

  void read_escape() {
    const std::size_t begin = at_;
    const char letter = peek(1);
    if (break_length(text_.substr(at_ + 1)) > 0) {  // vanishes with the blanks behind it
      ++at_;
      static_cast<void>(skip_break());
      return append_folded(begin, skip_empty_lines());
    }
    mark_origin();
    const std::uint32_t digits = hex_length(letter);
    if (digits > 0) return read_hex(digits);
    at_ += 2;
    for (const Escape& escape : escapes) {
      if (escape.letter != letter) continue;
      append_utf8(result_.value, escape.code_point);
      return mark_origin();
    }
    refuse(begin, begin + 2, "this escape sequence is not valid in YAML 1.1");
    if (result_.problem->begin == begin && letter == '/') result_.problem->is_dialect = true;
    if (letter == '/') result_.value += letter;
    at_ = std::min(at_, text_.size());
    mark_origin();
  }

  void read_hex(std::uint32_t digits) {
    const std::size_t begin = at_;
    std::uint32_t value = 0;
    at_ += 2;
    for (std::uint32_t i = 0; i < digits; ++i, ++at_) {
      const auto digit = hex_digit(peek(0));
      if (!digit) {
        refuse(begin, at_, "hexadecimal digits are missing in this escape");
        return mark_origin();
      }
      value = value << 4U | *digit;
    }
    if ((value >= 0xD800 && value < 0xE000) || value > 0x10FFFF) {
      refuse(begin, at_, "this escape is not a Unicode character");
      value = 0xFFFD;
    }
    append_utf8(result_.value, value);
    mark_origin();
  }

  std::string_view text_;
  char quote_;
  std::vector<TextOrigin::Piece>* origin_;
  std::size_t at_ = 1;
  QuotedScalar result_;
};

}  // namespace

QuotedScalar read_quoted(std::string_view text, std::vector<TextOrigin::Piece>* origin) {
  const std::string_view special = text[0] == '"' ? "\"\\\r\n" : "'\r\n";
  const std::size_t end = text.find_first_of(special, 1);
  const bool is_simple = end != std::string_view::npos && text[end] == text[0] &&
                         (text[0] == '"' || end + 1 == text.size() || text[end + 1] != '\'');
  if (!is_simple || holds_other_breaks(text.substr(0, end))) return Reader(text, origin).read();
  QuotedScalar result;
  result.size = static_cast<std::uint32_t>(end + 1);
  result.is_verbatim = true;
  if (origin != nullptr) origin->push_back({0, 1});
  return result;
}

}  // namespace gpulint
