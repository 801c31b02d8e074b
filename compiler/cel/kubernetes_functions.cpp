#include <algorithm>
#include <cstdint>
#include <optional>

#include "compiler/cel/functions.h"

namespace gpulint::cel {
namespace {

using OwnArguments = std::span<const Value>;

/// As resource.ParseQuantity, which accepts no blanks.
[[nodiscard]] std::optional<QuantityValue> read_quantity(std::string_view text) {
  if (text.find_first_of(" \t\r\n") != std::string_view::npos) return std::nullopt;
  const std::optional<Quantity> read = Quantity::parse(text);
  if (!read) return std::nullopt;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view suffix = text.substr(digits);
  // up to this length Kubernetes keeps an int64, not a big decimal
  constexpr std::size_t short_enough = 9;
  const bool is_plain = digits > 0 && digits <= short_enough &&
                        (suffix.empty() || suffix == "k" || suffix == "M" || suffix == "G" ||
                         suffix == "Ki" || suffix == "Mi" || suffix == "Gi");
  return QuantityValue{*read, false, is_plain};
}

[[nodiscard]] Value quantity(OwnArguments arguments) {
  const auto* text = arguments[0].as<std::string>();
  if (text == nullptr) return no_overload();
  const auto read = read_quantity(*text);
  return read ? Value{*read} : failure("the text is not a quantity");
}

[[nodiscard]] Value is_quantity(OwnArguments arguments) {
  const auto* text = arguments[0].as<std::string>();
  return text == nullptr ? no_overload() : make_value(read_quantity(*text).has_value());
}

[[nodiscard]] Value sign(OwnArguments arguments) {
  const auto* value = arguments[0].as<QuantityValue>();
  if (value == nullptr) return no_overload();
  if (value->quantity.is_zero()) return make_value(std::int64_t{0});
  return make_value(std::int64_t{value->quantity.is_negative() ? -1 : 1});
}

/// Whether Kubernetes reads it as an int64 depends on its spelling: known if it is plain, and if it
/// has a fraction.
[[nodiscard]] Value as_integer(OwnArguments arguments) {
  const auto* value = arguments[0].as<QuantityValue>();
  if (value == nullptr) return no_overload();
  if (value->is_plain) return make_value(value->quantity.value());
  if (value->quantity.value() >= 0 && !value->quantity.is_whole()) {
    return failure("the quantity is not whole");
  }
  return open_value();
}

[[nodiscard]] Value is_integer(OwnArguments arguments) {
  Value read = as_integer(arguments);
  if (read.is_open()) return read;
  if (arguments[0].as<QuantityValue>() == nullptr) return no_overload();
  return make_value(!read.is_failure());
}

template <bool subtracts>
[[nodiscard]] Value sum(OwnArguments arguments) {
  const auto* value = arguments[0].as<QuantityValue>();
  if (value == nullptr) return no_overload();
  Quantity other;
  if (const auto* number = arguments[1].as<std::int64_t>()) {
    other = Quantity::of(*number);
  } else if (const auto* given = arguments[1].as<QuantityValue>()) {
    other = given->quantity;
  } else {
    return no_overload();
  }
  // Kubernetes subtracts by negating, which overflows at the end of int64
  if (other.value() == INT64_MIN) return open_value();
  return {
      QuantityValue{subtracts ? value->quantity - other : value->quantity + other, true, false}};
}

/// The order of two quantities or two versions: -1, 0, 1; nullopt: other types.
[[nodiscard]] std::optional<int> order(OwnArguments arguments) {
  if (const auto* a = arguments[0].as<QuantityValue>()) {
    const auto* b = arguments[1].as<QuantityValue>();
    if (b == nullptr) return std::nullopt;
    if (a->quantity == b->quantity) return 0;
    return a->quantity < b->quantity ? -1 : 1;
  }
  const auto* a = arguments[0].as<Semver>();
  const auto* b = arguments[1].as<Semver>();
  if (a == nullptr || b == nullptr) return std::nullopt;
  return a->compare(*b);
}

[[nodiscard]] Value compare_to(OwnArguments arguments) {
  const auto found = order(arguments);
  return found ? make_value(std::int64_t{*found}) : no_overload();
}
template <int wanted>
[[nodiscard]] Value is_ordered(OwnArguments arguments) {
  const auto found = order(arguments);
  return found ? make_value(*found == wanted) : no_overload();
}

[[nodiscard]] std::optional<Semver> read_version(OwnArguments arguments, bool& is_typed) {
  const auto* text = arguments[0].as<std::string>();
  const bool* normalizes = arguments.size() == 2 ? arguments[1].as<bool>() : nullptr;
  is_typed = text != nullptr && (arguments.size() == 1 || normalizes != nullptr);
  if (!is_typed) return std::nullopt;
  return normalizes != nullptr && *normalizes ? Semver::parse_normalized(*text)
                                              : Semver::parse(*text);
}

[[nodiscard]] Value semver(OwnArguments arguments) {
  bool is_typed = false;
  const auto version = read_version(arguments, is_typed);
  if (!is_typed) return no_overload();
  return version ? Value{*version} : failure("the text is not a semantic version");
}

[[nodiscard]] Value is_semver(OwnArguments arguments) {
  bool is_typed = false;
  const auto version = read_version(arguments, is_typed);
  return is_typed ? make_value(version.has_value()) : no_overload();
}

template <std::uint64_t (Semver::*part)() const>
[[nodiscard]] Value version_part(OwnArguments arguments) {
  const auto* version = arguments[0].as<Semver>();
  if (version == nullptr) return no_overload();
  return make_value(static_cast<std::int64_t>((version->*part)()));
}

[[nodiscard]] Value optional_of(OwnArguments arguments) { return some(arguments[0]); }
[[nodiscard]] Value optional_none(OwnArguments) { return none(); }
[[nodiscard]] Value has_value(OwnArguments arguments) {
  const auto* optional = arguments[0].as<Optional>();
  return optional == nullptr ? no_overload() : make_value(optional->value != nullptr);
}
[[nodiscard]] Value value_of(OwnArguments arguments) {
  const auto* optional = arguments[0].as<Optional>();
  if (optional == nullptr) return no_overload();
  return optional->value ? *optional->value : failure("the optional has no value");
}

constexpr std::string_view order_signatures = "quantity,quantity:bool|semver,semver:bool";
constexpr std::string_view sums = "quantity,quantity:quantity|quantity,int:quantity";

constexpr Function own_functions[] = {
    {"quantity", false, "string:quantity", quantity},
    {"isQuantity", false, "string:bool", is_quantity},
    {"sign", false, "quantity:int", sign},
    {"asInteger", true, "quantity:int", as_integer},
    {"isInteger", true, "quantity:bool", is_integer},
    {"add", true, sums, sum<false>},
    {"sub", true, sums, sum<true>},
    {"compareTo", true, "quantity,quantity:int|semver,semver:int", compare_to},
    {"isLessThan", true, order_signatures, is_ordered<-1>},
    {"isGreaterThan", true, order_signatures, is_ordered<1>},
    {"semver", false, "string:semver|string,bool:semver", semver},
    {"isSemver", false, "string:bool|string,bool:bool", is_semver},
    {"major", true, "semver:int", version_part<&Semver::major>},
    {"minor", true, "semver:int", version_part<&Semver::minor>},
    {"patch", true, "semver:int", version_part<&Semver::patch>},
    {"optional.of", false, "A:optional(A)", optional_of},
    {"optional.none", false, ":optional(dyn)", optional_none},
    {"hasValue", true, "optional(A):bool", has_value},
    {"value", true, "optional(A):A", value_of},
};

}  // namespace

const Function* find_function(std::string_view name, bool is_member) {
  for (const auto table :
       {operator_functions(), text_functions(), std::span<const Function>(own_functions)}) {
    const auto found = std::ranges::find_if(
        table, [&](const Function& one) { return one.name == name && one.is_member == is_member; });
    if (found != table.end()) return &*found;
  }
  return nullptr;
}

}  // namespace gpulint::cel
