#include "compiler/cel/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "compiler/base/text.h"

namespace gpulint::cel {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view identifier_characters =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-";

[[nodiscard]] bool holds_only(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

[[nodiscard]] std::optional<std::uint64_t> read_number(std::string_view text) {
  if (text.empty() || !holds_only(text, digits)) return std::nullopt;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  std::uint64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc()) return std::nullopt;
  return number;
}

/// Major, minor and the rest, as far as there are dots.
[[nodiscard]] std::vector<std::string> split_fields(std::string_view text) {
  std::vector<std::string> fields;
  for (std::size_t dot = 0;
       fields.size() < 2 && (dot = text.find('.')) != std::string_view::npos;) {
    fields.emplace_back(text.substr(0, dot));
    text.remove_prefix(dot + 1);
  }
  fields.emplace_back(text);
  return fields;
}

[[nodiscard]] std::string without_leading_zeros(const std::string& part) {
  if (part.size() <= 1) return part;
  std::string rest = part.substr(std::min(part.find_first_not_of('0'), part.size()));
  if (rest.empty() || digits.find(rest.front()) == std::string_view::npos) rest.insert(0, "0");
  return rest;
}

[[nodiscard]] std::partial_ordering order_mixed(std::int64_t a, double b) {
  // beyond the range of int64 the sign decides; within it both become doubles, so the largest int
  // equals the double above it (cel-go v0.29, common/types/compare.go)
  constexpr double limit = 9223372036854775808.0;
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (b > limit) return std::partial_ordering::less;
  if (b < -limit) return std::partial_ordering::greater;
  return static_cast<double>(a) <=> b;
}

[[nodiscard]] std::partial_ordering order_mixed(std::uint64_t a, double b) {
  constexpr double limit = 18446744073709551616.0;
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (b > limit) return std::partial_ordering::less;
  if (b < 0) return std::partial_ordering::greater;
  return static_cast<double>(a) <=> b;
}

[[nodiscard]] std::partial_ordering order_mixed(std::int64_t a, std::uint64_t b) {
  if (a < 0) return std::partial_ordering::less;
  return static_cast<std::uint64_t>(a) <=> b;
}

[[nodiscard]] std::partial_ordering reverse(std::partial_ordering order) { return 0 <=> order; }

[[nodiscard]] Value equal_lists(const std::vector<Value>& a, const std::vector<Value>& b) {
  if (a.size() != b.size()) return make_value(false);
  bool is_open = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Value one = equal(a[i], b[i]);
    // values that cannot be compared do not count as different, as in cel-go
    if (one.is(false)) return one;
    is_open = is_open || one.is_open();
  }
  return is_open ? open_value() : make_value(true);
}

[[nodiscard]] Value equal_maps(const Map& a, const Map& b) {
  if (a.is_partial || b.is_partial) return open_value();
  if (a.entries.size() != b.entries.size()) return make_value(false);
  bool is_open = false;
  for (const auto& [key, value] : a.entries) {
    const Value* other = find_entry(b, key);
    if (other == nullptr) {
      // the other map may have a default
      return b.has_default ? open_value() : make_value(false);
    }
    const Value one = equal(value, *other);
    if (one.is(false)) return one;
    is_open = is_open || one.is_open();
  }
  return is_open ? open_value() : make_value(true);
}

[[nodiscard]] Value equal_optionals(const Optional& a, const Optional& b) {
  if (!a.value || !b.value) return make_value(!a.value && !b.value);
  return equal(*a.value, *b.value);
}

}  // namespace

bool Semver::read_parts(std::string_view text) {
  for (const std::string_view part : split(text, '.')) {
    if (part.empty() || !holds_only(part, identifier_characters)) return false;
    Part read{read_number(part), std::string(part)};
    if (!read.number && holds_only(part, digits)) return false;
    parts_.push_back(std::move(read));
  }
  return true;
}

std::optional<Semver> Semver::parse(std::string_view text) {
  const std::vector<std::string> fields = split_fields(text);
  if (fields.size() != 3) return std::nullopt;
  std::string_view rest = fields[2];
  if (const std::size_t plus = rest.find('+'); plus != std::string_view::npos) {
    for (const std::string_view part : split(rest.substr(plus + 1), '.')) {
      if (part.empty() || !holds_only(part, identifier_characters)) return std::nullopt;
    }
    rest = rest.substr(0, plus);
  }
  Semver version;
  if (const std::size_t dash = rest.find('-'); dash != std::string_view::npos) {
    if (!version.read_parts(rest.substr(dash + 1))) return std::nullopt;
    rest = rest.substr(0, dash);
  }
  const std::string_view numbers[3] = {fields[0], fields[1], rest};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto number = read_number(numbers[i]);
    if (!number) return std::nullopt;
    version.numbers_[i] = *number;
  }
  return version;
}

std::optional<Semver> Semver::parse_normalized(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::vector<std::string> fields = split_fields(text);
  for (std::string& field : fields) field = without_leading_zeros(field);
  if (fields.size() < 3 && fields.back().find_first_of("+-") != std::string::npos) {
    return std::nullopt;
  }
  fields.resize(3, "0");
  return parse(fields[0] + "." + fields[1] + "." + fields[2]);
}

int Semver::compare(const Part& a, const Part& b) {
  if (a.number && b.number) return *a.number == *b.number ? 0 : (*a.number < *b.number ? -1 : 1);
  if (a.number.has_value() != b.number.has_value()) return a.number ? -1 : 1;
  return a.text == b.text ? 0 : (a.text < b.text ? -1 : 1);
}

int Semver::compare(const Semver& other) const {
  for (std::size_t i = 0; i < 3; ++i) {
    if (numbers_[i] != other.numbers_[i]) return numbers_[i] < other.numbers_[i] ? -1 : 1;
  }
  if (parts_.empty() != other.parts_.empty()) return parts_.empty() ? 1 : -1;
  const std::size_t common = std::min(parts_.size(), other.parts_.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (const int order = compare(parts_[i], other.parts_[i]); order != 0) return order;
  }
  if (parts_.size() == other.parts_.size()) return 0;
  return parts_.size() < other.parts_.size() ? -1 : 1;
}

Value failure(std::string text) { return {Failure{std::move(text)}}; }
Value no_overload() { return failure("no such overload"); }
Value open_value() { return {Open{}}; }
Value make_value(bool value) { return {value}; }
Value make_value(std::int64_t value) { return {value}; }
Value make_value(double value) { return {value}; }
Value make_value(std::string value) { return {std::move(value)}; }
Value make_list(std::vector<Value> items) {
  return {std::make_shared<const std::vector<Value>>(std::move(items))};
}

Value make_map(std::vector<std::pair<Value, Value>> entries, bool has_default) {
  return {std::make_shared<const Map>(Map{std::move(entries), has_default})};
}

Value make_partial_map(std::vector<std::pair<Value, Value>> entries) {
  return {std::make_shared<const Map>(Map{std::move(entries), false, true})};
}

Value some(Value value) { return {Optional{std::make_shared<const Value>(std::move(value))}}; }
Value none() { return {Optional{}}; }

bool is_number(const Value& value) {
  return value.as<std::int64_t>() != nullptr || value.as<std::uint64_t>() != nullptr ||
         value.as<double>() != nullptr;
}

std::partial_ordering order_numbers(const Value& a, const Value& b) {
  if (const auto* left = a.as<std::int64_t>()) {
    if (const auto* right = b.as<std::int64_t>()) return *left <=> *right;
    if (const auto* right = b.as<std::uint64_t>()) return order_mixed(*left, *right);
    if (const auto* right = b.as<double>()) return order_mixed(*left, *right);
  } else if (const auto* unsigned_left = a.as<std::uint64_t>()) {
    if (const auto* right = b.as<std::uint64_t>()) return *unsigned_left <=> *right;
    if (const auto* right = b.as<std::int64_t>()) {
      return reverse(order_mixed(*right, *unsigned_left));
    }
    if (const auto* right = b.as<double>()) return order_mixed(*unsigned_left, *right);
  } else if (const auto* real = a.as<double>()) {
    if (const auto* right = b.as<double>()) return *real <=> *right;
    if (const auto* right = b.as<std::int64_t>()) return reverse(order_mixed(*right, *real));
    if (const auto* right = b.as<std::uint64_t>()) return reverse(order_mixed(*right, *real));
  }
  return std::partial_ordering::unordered;
}

Value equal(const Value& a, const Value& b) {
  if (a.is_failure()) return a;
  if (b.is_failure()) return b;
  if (a.is_open() || b.is_open()) return open_value();
  const bool null_a = a.as<Null>() != nullptr;
  const bool null_b = b.as<Null>() != nullptr;
  if (null_a || null_b) return make_value(null_a == null_b);
  if (is_number(a)) return make_value(is_number(b) && order_numbers(a, b) == 0);
  if (const auto* quantity = a.as<QuantityValue>()) {
    const auto* other = b.as<QuantityValue>();
    if (other == nullptr || other->is_sum) return no_overload();
    return make_value(quantity->quantity == other->quantity);
  }
  if (const auto* version = a.as<Semver>()) {
    const auto* other = b.as<Semver>();
    return other == nullptr ? no_overload() : make_value(version->compare(*other) == 0);
  }
  if (a.held.index() != b.held.index()) return make_value(false);
  if (const auto* truth = a.as<bool>()) return make_value(*truth == *b.as<bool>());
  if (const auto* text = a.as<std::string>()) return make_value(*text == *b.as<std::string>());
  if (const auto* bytes = a.as<Bytes>()) return make_value(bytes->text == b.as<Bytes>()->text);
  if (const auto* list = a.as<ListPtr>()) return equal_lists(**list, **b.as<ListPtr>());
  if (const auto* map = a.as<MapPtr>()) return equal_maps(**map, **b.as<MapPtr>());
  if (const auto* optional = a.as<Optional>()) return equal_optionals(*optional, *b.as<Optional>());
  return open_value();
}

const Value* find_entry(const Map& map, const Value& key) {
  for (const auto& [own, value] : map.entries) {
    if (equal(own, key).is(true)) return &value;
  }
  return nullptr;
}

bool is_entry_open(const Map& map, const Value& key) {
  return map.is_partial && find_entry(map, key) == nullptr;
}

}  // namespace gpulint::cel
