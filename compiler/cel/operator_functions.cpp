#include <charconv>
#include <limits>

#include "compiler/cel/functions.h"

namespace gpulint::cel {
namespace {

using Arguments = std::span<const Value>;

template <class T>
[[nodiscard]] bool both(Arguments arguments) {
  return arguments[0].as<T>() != nullptr && arguments[1].as<T>() != nullptr;
}
template <class T>
[[nodiscard]] const T& held(Arguments arguments, std::size_t index) {
  return *arguments[index].as<T>();
}

[[nodiscard]] Value overflow() { return failure("the number is too large"); }

enum class Operator : std::uint8_t { add, subtract, multiply, divide, remainder };

template <class T>
[[nodiscard]] Value whole(Operator what, T a, T b) {
  T result = 0;
  if (what == Operator::add && !__builtin_add_overflow(a, b, &result)) return {result};
  if (what == Operator::subtract && !__builtin_sub_overflow(a, b, &result)) return {result};
  if (what == Operator::multiply && !__builtin_mul_overflow(a, b, &result)) return {result};
  if (what != Operator::divide && what != Operator::remainder) return overflow();
  if (b == 0) return failure("division by zero");
  if constexpr (std::numeric_limits<T>::is_signed) {
    if (a == std::numeric_limits<T>::min() && b == -1) return overflow();
  }
  return {static_cast<T>(what == Operator::divide ? a / b : a % b)};
}

template <Operator what>
[[nodiscard]] Value calculate(Arguments arguments) {
  if (both<std::int64_t>(arguments)) {
    return whole(what, held<std::int64_t>(arguments, 0), held<std::int64_t>(arguments, 1));
  }
  if (both<std::uint64_t>(arguments)) {
    return whole(what, held<std::uint64_t>(arguments, 0), held<std::uint64_t>(arguments, 1));
  }
  if (!both<double>(arguments) || what == Operator::remainder) return no_overload();
  const double a = held<double>(arguments, 0);
  const double b = held<double>(arguments, 1);
  if (what == Operator::add) return make_value(a + b);
  if (what == Operator::subtract) return make_value(a - b);
  return make_value(what == Operator::multiply ? a * b : a / b);
}

[[nodiscard]] Value add(Arguments arguments) {
  if (both<std::string>(arguments)) {
    return make_value(held<std::string>(arguments, 0) + held<std::string>(arguments, 1));
  }
  if (both<Bytes>(arguments)) {
    return {Bytes{held<Bytes>(arguments, 0).text + held<Bytes>(arguments, 1).text}};
  }
  if (both<ListPtr>(arguments)) {
    std::vector<Value> items = *held<ListPtr>(arguments, 0);
    const std::vector<Value>& more = *held<ListPtr>(arguments, 1);
    items.insert(items.end(), more.begin(), more.end());
    return make_list(std::move(items));
  }
  return calculate<Operator::add>(arguments);
}

[[nodiscard]] Value negate(Arguments arguments) {
  if (const auto* number = arguments[0].as<std::int64_t>()) {
    return whole<std::int64_t>(Operator::subtract, 0, *number);
  }
  if (const auto* real = arguments[0].as<double>()) return make_value(-*real);
  return no_overload();
}

[[nodiscard]] Value invert(Arguments arguments) {
  const bool* truth = arguments[0].as<bool>();
  return truth == nullptr ? no_overload() : make_value(!*truth);
}

template <bool (*holds)(std::partial_ordering)>
[[nodiscard]] Value compare(Arguments arguments) {
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  if (is_number(a) && is_number(b)) {
    const std::partial_ordering order = order_numbers(a, b);
    if (order == std::partial_ordering::unordered) return failure("NaN has no order");
    return make_value(holds(order));
  }
  if (both<std::string>(arguments)) {
    return make_value(holds(held<std::string>(arguments, 0) <=> held<std::string>(arguments, 1)));
  }
  if (both<Bytes>(arguments)) {
    return make_value(holds(held<Bytes>(arguments, 0).text <=> held<Bytes>(arguments, 1).text));
  }
  if (both<bool>(arguments)) {
    return make_value(holds(held<bool>(arguments, 0) <=> held<bool>(arguments, 1)));
  }
  return no_overload();
}

[[nodiscard]] bool is_below(std::partial_ordering order) { return order < 0; }
[[nodiscard]] bool is_at_most(std::partial_ordering order) { return order <= 0; }
[[nodiscard]] bool is_above(std::partial_ordering order) { return order > 0; }
[[nodiscard]] bool is_at_least(std::partial_ordering order) { return order >= 0; }

[[nodiscard]] Value equals(Arguments arguments) { return equal(arguments[0], arguments[1]); }

/// Values that cannot be compared are unequal for `!=`, but a failure for `==`.
[[nodiscard]] Value differs(Arguments arguments) {
  const Value same = equal(arguments[0], arguments[1]);
  return same.is_open() ? same : make_value(!same.is(true));
}

[[nodiscard]] Value contains(Arguments arguments) {
  if (const auto* map = arguments[1].as<MapPtr>()) {
    if (is_entry_open(**map, arguments[0])) return open_value();
    return make_value(find_entry(**map, arguments[0]) != nullptr);
  }
  const auto* list = arguments[1].as<ListPtr>();
  if (list == nullptr) return no_overload();
  bool is_open = false;
  for (const Value& item : **list) {
    const Value same = equal(item, arguments[0]);
    if (same.is(true)) return same;
    is_open = is_open || same.is_open();
  }
  return is_open ? open_value() : make_value(false);
}

[[nodiscard]] Value to_dyn(Arguments arguments) { return arguments[0]; }

/// Go's ParseInt or ParseUint with base 10.
template <class T>
[[nodiscard]] Value parse_number(std::string_view text) {
  T number = 0;
  if (std::numeric_limits<T>::is_signed && text.starts_with('+') && text.size() > 1 &&
      text[1] != '-') {
    text.remove_prefix(1);
  }
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) {
    return failure("the text is not a number");
  }
  return {number};
}

[[nodiscard]] Value to_int(Arguments arguments) {
  const Value& value = arguments[0];
  if (value.as<std::int64_t>() != nullptr) return value;
  if (const auto* number = value.as<std::uint64_t>()) {
    if (*number > static_cast<std::uint64_t>(INT64_MAX)) return overflow();
    return make_value(static_cast<std::int64_t>(*number));
  }
  if (const auto* real = value.as<double>()) {
    constexpr double limit = 9223372036854775808.0;
    if (!(*real > -limit && *real < limit)) return overflow();
    return make_value(static_cast<std::int64_t>(*real));
  }
  if (const auto* text = value.as<std::string>()) return parse_number<std::int64_t>(*text);
  return no_overload();
}

[[nodiscard]] Value to_uint(Arguments arguments) {
  const Value& value = arguments[0];
  if (value.as<std::uint64_t>() != nullptr) return value;
  if (const auto* number = value.as<std::int64_t>()) {
    if (*number < 0) return overflow();
    return {static_cast<std::uint64_t>(*number)};
  }
  if (const auto* real = value.as<double>()) {
    constexpr double limit = 18446744073709551616.0;
    if (!(*real >= 0 && *real < limit)) return overflow();
    return {static_cast<std::uint64_t>(*real)};
  }
  if (const auto* text = value.as<std::string>()) return parse_number<std::uint64_t>(*text);
  return no_overload();
}

[[nodiscard]] Value to_double(Arguments arguments) {
  const Value& value = arguments[0];
  if (value.as<double>() != nullptr) return value;
  if (const auto* number = value.as<std::int64_t>()) {
    return make_value(static_cast<double>(*number));
  }
  if (const auto* number = value.as<std::uint64_t>()) {
    return make_value(static_cast<double>(*number));
  }
  const auto* text = value.as<std::string>();
  if (text == nullptr) return no_overload();
  // Go accepts more forms of numbers (hexadecimal, underscores, infinities)
  if (text->empty() || text->find_first_not_of("0123456789.") != std::string::npos) {
    return open_value();
  }
  double number = 0;
  const auto result = std::from_chars(text->data(), text->data() + text->size(), number);
  if (result.ec != std::errc() || result.ptr != text->data() + text->size()) return open_value();
  return make_value(number);
}

[[nodiscard]] Value to_bool(Arguments arguments) {
  if (arguments[0].as<bool>() != nullptr) return arguments[0];
  const auto* text = arguments[0].as<std::string>();
  if (text == nullptr) return no_overload();
  for (const char* word : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (*text == word) return make_value(true);
  }
  for (const char* word : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (*text == word) return make_value(false);
  }
  return failure("the text is not a bool");
}

constexpr std::string_view ordered =
    "bool,bool:bool|int,int:bool|int,uint:bool|int,double:bool|uint,uint:bool|uint,int:bool|"
    "uint,double:bool|double,double:bool|double,int:bool|double,uint:bool|string,string:bool|"
    "bytes,bytes:bool";
constexpr std::string_view same_numbers = "int,int:int|uint,uint:uint|double,double:double";

constexpr Function operators[] = {
    {"_+_", false,
     "int,int:int|uint,uint:uint|double,double:double|string,string:string|bytes,bytes:bytes|"
     "list(A),list(A):list(A)",
     add},
    {"_-_", false, same_numbers, calculate<Operator::subtract>},
    {"_*_", false, same_numbers, calculate<Operator::multiply>},
    {"_/_", false, same_numbers, calculate<Operator::divide>},
    {"_%_", false, "int,int:int|uint,uint:uint", calculate<Operator::remainder>},
    {"-_", false, "int:int|double:double", negate},
    {"!_", false, "bool:bool", invert},
    {"_==_", false, "A,A:bool", equals},
    {"_!=_", false, "A,A:bool", differs},
    {"_<_", false, ordered, compare<is_below>},
    {"_<=_", false, ordered, compare<is_at_most>},
    {"_>_", false, ordered, compare<is_above>},
    {"_>=_", false, ordered, compare<is_at_least>},
    {"_in_", false, "A,list(A):bool|A,map(A,B):bool", contains},
    // the evaluator runs these itself: they do not need all their operands
    {"_&&_", false, "bool,bool:bool", nullptr},
    {"_||_", false, "bool,bool:bool", nullptr},
    {"_?_:_", false, "bool,A,A:A", nullptr},
    {"or", true, "optional(A),optional(A):optional(A)", nullptr},
    {"orValue", true, "optional(A),A:A", nullptr},
    {"dyn", false, "A:dyn", to_dyn},
    {"int", false, "int:int|uint:int|double:int|string:int", to_int},
    {"uint", false, "uint:uint|int:uint|double:uint|string:uint", to_uint},
    {"double", false, "double:double|int:double|uint:double|string:double", to_double},
    {"bool", false, "bool:bool|string:bool", to_bool},
};

}  // namespace

std::span<const Function> operator_functions() { return operators; }

}  // namespace gpulint::cel
