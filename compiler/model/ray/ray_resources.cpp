#include "compiler/model/ray/ray_resources.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

/// A parser for JSON objects whose values are numbers or null.
class NumberMapReader {
 public:
  explicit NumberMapReader(std::string_view text) : rest_(text) {}

  [[nodiscard]] RayResources read() {
    skip_blanks();
    if (take("null")) return at_end({.state = RayResources::State::null, .amounts = {}});
    RayResources resources;
    if (!take("{")) return invalid();
    skip_blanks();
    if (take("}")) return at_end(std::move(resources));
    do {
      if (!read_member(resources.amounts)) return invalid();
    } while (take(","));
    return take("}") ? at_end(std::move(resources)) : invalid();
  }

 private:
  [[nodiscard]] static RayResources invalid() {
    return {.state = RayResources::State::invalid, .amounts = {}};
  }

  [[nodiscard]] RayResources at_end(RayResources resources) {
    skip_blanks();
    return rest_.empty() ? std::move(resources) : invalid();
  }

  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }

  [[nodiscard]] bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  [[nodiscard]] bool read_member(std::map<std::string, double>& amounts) {
    skip_blanks();
    const std::optional<std::string> name = read_string();
    skip_blanks();
    if (!name || !take(":")) return false;
    skip_blanks();
    const std::optional<double> amount = take("null") ? 0.0 : read_number();
    if (!amount) return false;
    amounts[*name] = *amount;
    skip_blanks();
    return true;
  }

  [[nodiscard]] std::optional<std::string> read_string() {
    if (!take("\"")) return std::nullopt;
    std::string text;
    while (!rest_.empty() && rest_.front() != '"') {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (static_cast<unsigned char>(c) < 0x20) return std::nullopt;
      if (c != '\\') {
        text.push_back(c);
      } else if (!read_escape(text)) {
        return std::nullopt;
      }
    }
    if (!take("\"")) return std::nullopt;
    return text;
  }

  [[nodiscard]] bool read_escape(std::string& text) {
    if (rest_.empty()) return false;
    const char escaped = rest_.front();
    rest_.remove_prefix(1);
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t at = letters.find(escaped); at != std::string_view::npos) {
      text.push_back(meanings[at]);
      return true;
    }
    if (escaped != 'u' || rest_.size() < 4) return false;
    std::uint32_t code = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + 4, code, 16);
    if (error != std::errc{} || end != rest_.data() + 4) return false;
    append_utf8(text, code);
    rest_.remove_prefix(4);
    return true;
  }

  /// JSON's own grammar: no leading zeros, no bare point, no `+`.
  [[nodiscard]] std::optional<double> read_number() {
    const std::size_t size = std::min(rest_.find_first_not_of("+-.0123456789eE"), rest_.size());
    const std::string_view text = rest_.substr(0, size);
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    const bool starts_well = !digits.empty() && digits[0] >= '0' && digits[0] <= '9';
    const bool leading_zero =
        digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
    const std::size_t point = text.find('.');
    const bool bare_point =
        point != std::string_view::npos &&
        (point + 1 == text.size() || text[point + 1] < '0' || text[point + 1] > '9');
    if (!starts_well || leading_zero || bare_point) return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    rest_.remove_prefix(size);
    return value;
  }

  std::string_view rest_;
};

/// A number as Go's encoding/json writes it.
[[nodiscard]] std::string format_number(double value) {
  const double size = std::abs(value);
  const bool is_plain = size == 0 || (size >= 1e-6 && size < 1e21);
  std::array<char, 400> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                    is_plain ? std::chars_format::fixed : std::chars_format::scientific);
  std::string text(buffer.data(), error == std::errc{} ? end : buffer.data());
  // Go shortens one-digit exponents: e-09 becomes e-9.
  const std::size_t exponent = text.find("e-0");
  if (exponent != std::string::npos) text.erase(exponent + 2, 1);
  return text;
}

/// A string as Go's encoding/json writes it, safe for HTML.
[[nodiscard]] std::string format_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>' || c == '&') {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

}  // namespace

RayResources parse_ray_resources(std::string_view text) {
  constexpr std::string_view around = "'\"` ";
  const std::size_t first = text.find_first_not_of(around);
  if (first == std::string_view::npos) return NumberMapReader("").read();
  return NumberMapReader(text.substr(first, text.find_last_not_of(around) - first + 1)).read();
}

std::string format_ray_resources(const std::map<std::string, double>& amounts) {
  std::string text = "'{";
  for (const auto& [name, amount] : amounts) {
    if (text.size() > 2) text += ',';
    text += format_string(name) + ":" + format_number(amount);
  }
  return text + "}'";
}

}  // namespace gpulint
