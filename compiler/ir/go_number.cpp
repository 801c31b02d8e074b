#include "compiler/ir/go_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace gpulint {
namespace {

/// The shortest decimal digits that read back as the same number, and the place of the point.
struct Decimal {
  bool negative = false;
  std::string digits;
  int exponent = 0;  // of the first digit
};

template <class Float>
[[nodiscard]] Decimal shortest(Float value) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value),
                                 std::chars_format::scientific)
                       .ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t mark = text.find('e');
  Decimal result{.negative = std::signbit(value), .digits = std::string(text.substr(0, mark))};
  std::erase(result.digits, '.');
  std::string_view exponent = text.substr(mark + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), result.exponent);
  return result;
}

[[nodiscard]] std::string scientific(const Decimal& decimal, std::size_t exponent_digits) {
  std::string text = decimal.negative ? "-" : "";
  text += decimal.digits.substr(0, 1);
  if (decimal.digits.size() > 1) text += "." + decimal.digits.substr(1);
  const std::string exponent = std::to_string(std::abs(decimal.exponent));
  text += decimal.exponent < 0 ? "e-" : "e+";
  if (exponent.size() < exponent_digits) text += '0';
  return text + exponent;
}

[[nodiscard]] std::string positional(const Decimal& decimal) {
  const std::string sign = decimal.negative ? "-" : "";
  const std::string& digits = decimal.digits;
  if (decimal.exponent < 0) {
    return sign + "0." + std::string(static_cast<std::size_t>(-decimal.exponent - 1), '0') + digits;
  }
  const auto whole = static_cast<std::size_t>(decimal.exponent) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0');
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace

std::string json_number(double value) {
  const Decimal decimal = shortest(value);
  const double size = std::abs(value);
  const bool small_or_large = size != 0 && (size < 1e-6 || size >= 1e21);
  return small_or_large ? scientific(decimal, 1) : positional(decimal);
}

std::string key_number(double value) {
  const auto narrow = static_cast<float>(value);
  if (std::isnan(narrow)) return ".nan";
  if (std::isinf(narrow)) return narrow > 0 ? ".inf" : "-.inf";
  const Decimal decimal = shortest(narrow);
  constexpr int precision = 6;  // what Go compares with when it prints the shortest digits
  const bool as_power = narrow != 0 && (decimal.exponent < -4 || decimal.exponent >= precision);
  return as_power ? scientific(decimal, 2) : positional(decimal);
}

}  // namespace gpulint
