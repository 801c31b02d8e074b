#include "compiler/cel/value.h"

#include <cmath>

namespace gpulint::cel {
namespace {

[[nodiscard]] std::partial_ordering order_mixed(std::int64_t a, double b) {
  // Beyond the range of int64 the sign decides; within it both are doubles, so that the largest int
  // equals the double above it (cel-go v0.29, common/types/compare.go).
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
    // What cannot be compared does not count as different: so does cel-go.
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
      // A default stands in where the other map has one.
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
