#include "compiler/ir/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/text.h"

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

/// A finite float64 as Go's encoding/json writes it.
[[nodiscard]] std::string json_number(double value) {
  const Decimal decimal = shortest(value);
  const double size = std::abs(value);
  const bool small_or_large = size != 0 && (size < 1e-6 || size >= 1e21);
  return small_or_large ? scientific(decimal, 1) : positional(decimal);
}

/// A float as sigs.k8s.io/yaml writes it where it is a mapping's key: with the digits of a float32,
/// `%e` from 1e+06 on, `.inf` and `.nan` by name.
[[nodiscard]] std::string key_number(double value) {
  const auto narrow = static_cast<float>(value);
  if (std::isnan(narrow)) return ".nan";
  if (std::isinf(narrow)) return narrow > 0 ? ".inf" : "-.inf";
  const Decimal decimal = shortest(narrow);
  constexpr int precision = 6;  // what Go compares with when it prints the shortest digits
  const bool as_power = narrow != 0 && (decimal.exponent < -4 || decimal.exponent >= precision);
  return as_power ? scientific(decimal, 2) : positional(decimal);
}

using Type = KubernetesScalar::Type;

constexpr std::string_view core = "tag:yaml.org,2002:";

/// A scalar before it becomes JSON. `unsigned_integer` is used where `integer` cannot hold it.
struct Resolved {
  Type type = Type::string;
  bool boolean = false;
  bool is_unsigned = false;  // an integer beyond int64
  std::int64_t integer = 0;
  std::uint64_t unsigned_integer = 0;
  double floating = 0;
};

/// Go's strconv.ParseInt and ParseUint with the given base; base 0 reads prefixes.
[[nodiscard]] std::optional<Resolved> parse_integer(std::string_view text, int base) {
  const bool negative = text.starts_with('-');
  const bool is_signed = negative || text.starts_with('+');
  if (is_signed) text.remove_prefix(1);
  if (base == 0) {
    base = 10;
    if (text.size() > 1 && text[0] == '0') {
      const char prefix = static_cast<char>(text[1] | 0x20);
      base = prefix == 'x' ? 16 : prefix == 'b' ? 2 : 8;
      text.remove_prefix(prefix == 'x' || prefix == 'b' || prefix == 'o' ? 2 : 1);
    }
  }
  std::uint64_t magnitude = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, magnitude, base);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  constexpr auto max = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  Resolved result{.type = Type::integer};
  if (magnitude > max + (negative ? 1U : 0U)) {
    if (is_signed) return std::nullopt;
    result.is_unsigned = true;
    result.unsigned_integer = magnitude;
    return result;
  }
  result.integer = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
  return result;
}

/// Digits, one optional point, an optional exponent: the floats of yaml.v2's own pattern.
[[nodiscard]] bool looks_floating(std::string_view text) {
  std::size_t at = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t first = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at > first;
  };
  const bool whole = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digits() && !whole) return false;
  } else if (!whole) {
    return false;
  }
  if (at < text.size() && (text[at] | 0x20) == 'e') {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (!digits()) return false;
  }
  return at == text.size();
}

/// Whether a number that no double can hold is too small rather than too large.
[[nodiscard]] bool is_tiny(std::string_view text) {
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) return text.substr(exponent + 1).starts_with('-');
  return text.find_first_of("123456789") > text.find('.');
}

/// Values beyond double's range are no floats (Go reports a range error); tiny ones become 0.
[[nodiscard]] std::optional<Resolved> parse_floating(std::string_view text) {
  if (!looks_floating(text)) return std::nullopt;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    if (!is_tiny(text)) return std::nullopt;
    value = 0;
  }
  return Resolved{.type = Type::floating, .floating = negative ? -value : value};
}

[[nodiscard]] std::string without_underscores(std::string_view text) {
  std::string result(text);
  std::erase(result, '_');
  return result;
}

[[nodiscard]] std::optional<Resolved> parse_number(std::string_view text) {
  const std::string plain = without_underscores(text);
  if (auto integer = parse_integer(plain, 0)) return integer;
  if (plain.starts_with("0b")) return parse_integer(std::string_view(plain).substr(2), 2);
  return parse_floating(plain);
}

/// Between digits only, as Go's strconv wants it in floats that start with a point.
[[nodiscard]] std::optional<Resolved> parse_point_float(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '_') continue;
    if (at == 0 || !is_digit(text[at - 1]) || at + 1 == text.size() || !is_digit(text[at + 1])) {
      return std::nullopt;
    }
  }
  return parse_floating(without_underscores(text));
}

struct Word {
  std::string_view text;
  Resolved value;
};

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr Resolved yes{.type = Type::boolean, .boolean = true};

constexpr Resolved no{.type = Type::boolean};

constexpr Resolved null{.type = Type::null};

constexpr Resolved positive{.type = Type::floating, .floating = infinity};

constexpr Resolved negative{.type = Type::floating, .floating = -infinity};

constexpr Resolved not_a_number{.type = Type::floating,
                                .floating = std::numeric_limits<double>::quiet_NaN()};

constexpr std::array<Word, 38> words{{
    {"y", yes},
    {"Y", yes},
    {"yes", yes},
    {"Yes", yes},
    {"YES", yes},
    {"true", yes},
    {"True", yes},
    {"TRUE", yes},
    {"on", yes},
    {"On", yes},
    {"ON", yes},
    {"n", no},
    {"N", no},
    {"no", no},
    {"No", no},
    {"NO", no},
    {"false", no},
    {"False", no},
    {"FALSE", no},
    {"off", no},
    {"Off", no},
    {"OFF", no},
    {"~", null},
    {"null", null},
    {"Null", null},
    {"NULL", null},
    {".nan", not_a_number},
    {".NaN", not_a_number},
    {".NAN", not_a_number},
    {".inf", positive},
    {".Inf", positive},
    {".INF", positive},
    {"+.inf", positive},
    {"+.Inf", positive},
    {"+.INF", positive},
    {"-.inf", negative},
    {"-.Inf", negative},
    {"-.INF", negative},
}};

/// What words begin with: most text begins with something else.
constexpr std::array<bool, 256> begins_word = [] {
  std::array<bool, 256> table{};
  for (const Word& word : words) table[static_cast<unsigned char>(word.text[0])] = true;
  return table;
}();

/// A plain scalar without a tag.
[[nodiscard]] Resolved resolve(std::string_view text) {
  if (text.empty()) return null;
  if (text.size() <= 5 && begins_word[static_cast<unsigned char>(text[0])]) {
    const auto* const word = std::ranges::find(words, text, &Word::text);
    if (word != words.end()) return word->value;
  }
  const char first = text[0];
  std::optional<Resolved> number;
  if (first == '.') number = parse_point_float(text);
  if (is_digit(first) || first == '+' || first == '-') number = parse_number(text);
  return number.value_or(Resolved{});
}

/// A date as yaml.v2 recognises it; only an explicit `!!timestamp` asks.
[[nodiscard]] bool looks_like_date(std::string_view text) {
  return text.size() >= 8 && std::ranges::all_of(text.substr(0, 4), is_digit) && text[4] == '-';
}

/// A scalar with an explicit tag; nullopt where yaml.v2 cannot read the text as that type.
[[nodiscard]] std::optional<Resolved> resolve_tagged(std::string_view tag, std::string_view text) {
  if (!tag.starts_with(core)) return Resolved{};
  const std::string_view name = tag.substr(core.size());
  const Resolved found = resolve(text);
  if (name == "bool") return found.type == Type::boolean ? std::optional(found) : std::nullopt;
  if (name == "null") return found.type == Type::null ? std::optional(found) : std::nullopt;
  if (name == "int") return found.type == Type::integer ? std::optional(found) : std::nullopt;
  if (name == "timestamp") {
    return looks_like_date(text) ? std::optional(Resolved{}) : std::nullopt;
  }
  if (name != "float") return Resolved{};
  if (found.type == Type::floating) return found;
  if (found.type != Type::integer || found.is_unsigned) return std::nullopt;
  return Resolved{.type = Type::floating, .floating = static_cast<double>(found.integer)};
}

[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  std::size_t digits = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t digit = alphabet.find(c);
    if (c == '=' ? ++padding > 2 : (padding > 0 || digit == std::string_view::npos)) {
      return std::nullopt;
    }
    if (c == '=') continue;
    ++digits;
    bits = (bits << 6U | static_cast<std::uint32_t>(digit)) & 0xFFFFU;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xFFU));
  }
  if ((digits + padding) % 4 != 0) return std::nullopt;
  return bytes;
}

[[nodiscard]] bool is_quoted(Node scalar) { return scalar.style() != Style::plain; }

/// What the scalar is before it becomes JSON, and its text where `!!binary` decodes it.
[[nodiscard]] std::optional<Resolved> resolve_node(Node scalar, std::string& text) {
  const std::string_view tag = scalar.tag();
  if (tag.empty()) return is_quoted(scalar) ? Resolved{} : resolve(scalar.text());
  if (tag.starts_with(core) && tag.substr(core.size()) == "binary") {
    auto bytes = decode_base64(text);
    if (!bytes) return std::nullopt;
    text = std::move(*bytes);
  }
  return resolve_tagged(tag, scalar.text());
}

}  // namespace

// The resolution of yaml.v2 (gopkg.in/yaml.v2 resolve.go, as sigs.k8s.io/yaml v1.6 carries it) and
// the conversion to JSON of sigs.k8s.io/yaml.

std::optional<KubernetesScalar> read_kubernetes_scalar(Node scalar) {
  std::string text(scalar.text());
  const auto resolved = resolve_node(scalar, text);
  if (!resolved) return std::nullopt;
  KubernetesScalar result{.type = resolved->type,
                          .boolean = resolved->boolean,
                          .integer = resolved->integer,
                          .text = std::move(text)};
  switch (resolved->type) {
    case Type::null:
      result.text = "null";
      break;
    case Type::boolean:
      result.text = resolved->boolean ? "true" : "false";
      break;
    case Type::integer:
      result.text = resolved->is_unsigned ? std::to_string(resolved->unsigned_integer)
                                          : std::to_string(resolved->integer);
      break;
    case Type::floating:
      if (!std::isfinite(resolved->floating)) return std::nullopt;
      result.text = json_number(resolved->floating);
      break;
    case Type::string:
      break;
  }
  return result;
}

std::optional<std::string> read_kubernetes_key(Node key) {
  std::string text(key.text());
  const auto resolved = resolve_node(key, text);
  if (!resolved) return std::nullopt;
  switch (resolved->type) {
    case Type::null:
      return std::nullopt;
    case Type::boolean:
      return resolved->boolean ? "true" : "false";
    case Type::integer:
      if (resolved->is_unsigned) return std::nullopt;
      return std::to_string(resolved->integer);
    case Type::floating:
      return key_number(resolved->floating);
    case Type::string:
      return text;
  }
  return std::nullopt;
}

KubernetesScalar::Type kubernetes_key_type(Node key) {
  std::string text(key.text());
  return resolve_node(key, text).value_or(Resolved{}).type;
}

bool is_kubernetes_readable(Node scalar) {
  std::string text(scalar.text());
  return resolve_node(scalar, text).has_value();
}

}  // namespace gpulint
