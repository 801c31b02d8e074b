#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "compiler/flyte/go_scalar.h"

namespace gpulint::flyte {
namespace {

constexpr std::int64_t second = 1'000'000'000;

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};
constexpr std::array units{
    Unit{"ns", 1},         Unit{"us", 1'000}, Unit{"\xC2\xB5s", 1'000}, Unit{"\xCE\xBCs", 1'000},
    Unit{"ms", 1'000'000}, Unit{"s", second}, Unit{"m", 60 * second},   Unit{"h", 3600 * second}};

/// The number and unit that `text` starts with, in nanoseconds; takes them off.
[[nodiscard]] std::optional<double> take_duration_part(std::string_view& text) {
  const std::size_t size = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string number(text.substr(0, size));
  const auto dots = std::ranges::count(number, '.');
  if (dots > 1 || static_cast<std::size_t>(dots) == size) return std::nullopt;
  text.remove_prefix(size);
  const std::size_t unit_size = std::min(text.find_first_of("0123456789."), text.size());
  for (const Unit& unit : units) {
    if (unit.name != text.substr(0, unit_size)) continue;
    text.remove_prefix(unit_size);
    return std::strtod(number.c_str(), nullptr) * static_cast<double>(unit.nanoseconds);
  }
  return std::nullopt;
}

/// A count of `unit`s with as many decimals as it takes.
[[nodiscard]] std::string format_decimal(std::int64_t nanoseconds, std::int64_t unit) {
  std::string text = fmt::format("{}", nanoseconds / unit);
  std::string fraction;
  for (std::int64_t rest = nanoseconds % unit, scale = unit / 10; rest > 0; scale /= 10) {
    fraction += static_cast<char>('0' + rest / scale);
    rest %= scale;
  }
  return fraction.empty() ? text : text + "." + fraction;
}

}  // namespace

std::optional<std::int64_t> parse_go_duration(std::string_view text) {
  bool negative = false;
  if (text.starts_with('-') || text.starts_with('+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  double total = 0;
  while (!text.empty()) {
    const auto part = take_duration_part(text);
    if (!part) return std::nullopt;
    total += *part;
  }
  constexpr double limit = 9.2e18;
  if (total > limit) return std::nullopt;
  const auto nanoseconds = static_cast<std::int64_t>(total);
  return negative ? -nanoseconds : nanoseconds;
}

std::string format_go_duration(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return "0s";
  if (nanoseconds < 0) return "-" + format_go_duration(-nanoseconds);
  if (nanoseconds < 1'000) return fmt::format("{}ns", nanoseconds);
  if (nanoseconds < 1'000'000) return format_decimal(nanoseconds, 1'000) + "\xC2\xB5s";
  if (nanoseconds < second) return format_decimal(nanoseconds, 1'000'000) + "ms";
  const std::int64_t minutes = nanoseconds / (60 * second);
  std::string seconds = format_decimal(nanoseconds % (60 * second), second) + "s";
  if (minutes == 0) return seconds;
  if (minutes < 60) return fmt::format("{}m{}", minutes, seconds);
  return fmt::format("{}h{}m{}", minutes / 60, minutes % 60, seconds);
}

}  // namespace gpulint::flyte
