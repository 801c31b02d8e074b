#include "compiler/flyte/go_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint::flyte {
namespace {

constexpr std::string_view tag_prefix = "tag:yaml.org,2002:";

[[nodiscard]] bool is_one_of(std::string_view text, std::initializer_list<std::string_view> set) {
  return std::ranges::find(set, text) != set.end();
}

[[nodiscard]] std::string without_underscores(std::string_view text) {
  std::string result(text);
  std::erase(result, '_');
  return result;
}

/// Digits of an integer literal and their base, as strconv's base 0 has them.
struct Literal {
  bool negative = false;
  int base = 10;
  std::string digits;
};

[[nodiscard]] std::optional<Literal> split_literal(std::string_view text) {
  Literal literal;
  if (text.starts_with('+') || text.starts_with('-')) {
    literal.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text.size() > 1 && text[0] == '0') {
    const char prefix = static_cast<char>(text[1] | 0x20);
    const bool has_letter = prefix == 'x' || prefix == 'o' || prefix == 'b';
    literal.base = prefix == 'x' ? 16 : prefix == 'b' ? 2 : 8;
    text.remove_prefix(has_letter ? 2 : 1);
  }
  literal.digits = without_underscores(text);
  if (literal.digits.empty()) return std::nullopt;
  return literal;
}

[[nodiscard]] std::optional<std::uint64_t> parse_magnitude(const Literal& literal) {
  std::uint64_t value = 0;
  const char* const end = literal.digits.data() + literal.digits.size();
  const auto [at, error] = std::from_chars(literal.digits.data(), end, value, literal.base);
  if (error != std::errc{} || at != end) return std::nullopt;
  return value;
}

[[nodiscard]] std::optional<std::int64_t> with_sign(std::uint64_t magnitude, bool negative,
                                                    int bits) {
  const std::uint64_t bound = std::uint64_t{1} << (bits - 1);
  if (negative) {
    if (magnitude > bound) return std::nullopt;
    return static_cast<std::int64_t>(-magnitude);
  }
  if (magnitude >= bound) return std::nullopt;
  return static_cast<std::int64_t>(magnitude);
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
[[nodiscard]] bool looks_like_float(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - start;
  };
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const std::size_t whole = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0 && whole == 0) return false;
  } else if (whole == 0) {
    return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

[[nodiscard]] std::optional<double> parse_float(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || at != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Reads a number of at most two digits.
[[nodiscard]] std::optional<int> take_short_number(std::string_view& text) {
  std::size_t size = 0;
  while (size < 2 && size < text.size() && is_digit(text[size])) ++size;
  if (size == 0) return std::nullopt;
  int value = 0;
  std::from_chars(text.data(), text.data() + size, value);
  text.remove_prefix(size);
  return value;
}

[[nodiscard]] bool take(std::string_view& text, char wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(1);
  return true;
}

[[nodiscard]] int days_in_month(int year, int month) {
  constexpr std::array<int, 12> days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : days[static_cast<std::size_t>(month - 1)];
}

/// `h:m:s` with an optional fraction.
[[nodiscard]] bool take_clock(std::string_view& text) {
  const auto hours = take_short_number(text);
  if (!hours || *hours > 23 || !take(text, ':')) return false;
  const auto minutes = take_short_number(text);
  if (!minutes || *minutes > 59 || !take(text, ':')) return false;
  const auto seconds = take_short_number(text);
  if (!seconds || *seconds > 59) return false;
  if (text.size() > 1 && (text[0] == '.' || text[0] == ',') && is_digit(text[1])) {
    text.remove_prefix(1);
    while (!text.empty() && is_digit(text[0])) text.remove_prefix(1);
  }
  return true;
}

[[nodiscard]] bool is_zone(std::string_view text) {
  if (text == "Z") return true;
  return text.size() == 6 && (text[0] == '+' || text[0] == '-') && is_digit(text[1]) &&
         is_digit(text[2]) && text[3] == ':' && is_digit(text[4]) && is_digit(text[5]);
}

/// The four formats that yaml.v3 tries: a date, or a date and a time.
[[nodiscard]] bool is_timestamp(std::string_view text) {
  if (text.size() < 8 || !std::ranges::all_of(text.substr(0, 4), is_digit) || text[4] != '-') {
    return false;
  }
  int year = 0;
  std::from_chars(text.data(), text.data() + 4, year);
  text.remove_prefix(5);
  const auto month = take_short_number(text);
  if (!month || *month < 1 || *month > 12 || !take(text, '-')) return false;
  const auto day = take_short_number(text);
  if (!day || *day < 1 || *day > days_in_month(year, *month)) return false;
  if (text.empty()) return true;
  const char separator = text[0];
  text.remove_prefix(1);
  if (separator == ' ') return take_clock(text) && text.empty();
  return (separator == 'T' || separator == 't') && take_clock(text) && is_zone(text);
}

[[nodiscard]] GoScalar make(GoScalar::Type type, std::string text) {
  GoScalar scalar;
  scalar.type = type;
  scalar.text = std::move(text);
  return scalar;
}

[[nodiscard]] GoScalar make_go_integer(std::int64_t value) {
  GoScalar scalar = make(GoScalar::Type::integer, std::to_string(value));
  scalar.integer = value;
  scalar.floating = static_cast<double>(value);
  return scalar;
}

/// A float as Go prints it without an exponent: `1.5`, `1000`, `0.1`.
[[nodiscard]] std::string format_go_float(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Inf" : "+Inf";
  std::array<char, 400> buffer{};
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  return {buffer.data(), result.ptr};
}

[[nodiscard]] GoScalar make_float(double value) {
  GoScalar scalar = make(GoScalar::Type::floating, format_go_float(value));
  scalar.floating = value;
  return scalar;
}

[[nodiscard]] std::optional<GoScalar> resolve_word(std::string_view text) {
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return make(GoScalar::Type::null, {});
  const bool is_true = is_one_of(text, {"true", "True", "TRUE"});
  if (is_true || is_one_of(text, {"false", "False", "FALSE"})) {
    GoScalar scalar = make(GoScalar::Type::boolean, is_true ? "true" : "false");
    scalar.boolean = is_true;
    return scalar;
  }
  if (is_one_of(text, {".nan", ".NaN", ".NAN"})) return make_float(std::nan(""));
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (!is_one_of(text, {".inf", ".Inf", ".INF"})) return std::nullopt;
  return make_float(negative ? -HUGE_VAL : HUGE_VAL);
}

[[nodiscard]] GoScalar resolve_number(std::string_view text) {
  if (is_timestamp(text)) return make(GoScalar::Type::timestamp, std::string(text));
  const std::string plain = without_underscores(text);
  if (const auto literal = split_literal(plain)) {
    if (const auto magnitude = parse_magnitude(*literal)) {
      if (const auto value = with_sign(*magnitude, literal->negative, 64)) {
        return make_go_integer(*value);
      }
      if (!literal->negative && !plain.starts_with('+')) {
        GoScalar scalar = make(GoScalar::Type::unsigned_integer, std::to_string(*magnitude));
        scalar.floating = static_cast<double>(*magnitude);
        return scalar;
      }
    }
  }
  if (looks_like_float(plain)) {
    if (const auto value = parse_float(plain)) return make_float(*value);
  }
  return make(GoScalar::Type::string, std::string(text));
}

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

GoScalar resolve_plain(std::string_view text) {
  if (auto word = resolve_word(text)) return *std::move(word);
  const char first = text.front();
  if (is_digit(first) || first == '+' || first == '-') return resolve_number(text);
  if (first == '.') {
    if (const auto value = parse_float(text)) return make_float(*value);
  }
  return make(GoScalar::Type::string, std::string(text));
}

std::optional<GoScalar> read_go_scalar(Node scalar) {
  using Type = GoScalar::Type;
  std::string_view tag = scalar.tag();
  if (tag == "!") tag = {};
  if (tag.starts_with(tag_prefix)) tag.remove_prefix(tag_prefix.size());
  const bool quoted = scalar.style() != Style::plain;
  if (tag == "str" || (tag.empty() && quoted)) {
    return make(Type::string, std::string(scalar.text()));
  }
  if (tag.empty()) return resolve_plain(scalar.text());
  GoScalar value = resolve_plain(scalar.text());
  if (tag == "float" && value.type == Type::integer) return make_float(value.floating);
  const bool fits =
      (tag == "int" && (value.type == Type::integer || value.type == Type::unsigned_integer)) ||
      (tag == "float" && value.type == Type::floating) ||
      (tag == "bool" && value.type == Type::boolean) ||
      (tag == "null" && value.type == Type::null) ||
      (tag == "timestamp" && value.type == Type::timestamp);
  if (fits) return value;
  if (is_one_of(tag, {"int", "float", "bool", "null", "timestamp"})) return std::nullopt;
  return make(Type::string, std::string(scalar.text()));
}

std::optional<std::int64_t> parse_go_int(std::string_view text, int bits) {
  const auto literal = split_literal(text);
  if (!literal) return std::nullopt;
  const auto magnitude = parse_magnitude(*literal);
  return magnitude ? with_sign(*magnitude, literal->negative, bits) : std::nullopt;
}

std::optional<bool> parse_go_bool(std::string_view text) {
  if (is_one_of(text, {"1", "t", "T", "TRUE", "true", "True"})) return true;
  if (is_one_of(text, {"0", "f", "F", "FALSE", "false", "False"})) return false;
  return std::nullopt;
}

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
