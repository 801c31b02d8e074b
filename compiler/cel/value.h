#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/model/quantity.h"

namespace gpulint::cel {

/// A semantic version (semver.org 2.0.0) as Kubernetes' CEL compares it.
class Semver {
 public:
  /// Strict: `1.2.3`, with `-pre.1` and `+build`; nullopt for anything else. Facts: blang/semver
  /// v4.
  [[nodiscard]] static std::optional<Semver> parse(std::string_view text);
  /// `semver(text, true)`: first corrects a leading `v`, leading zeros and missing parts.
  [[nodiscard]] static std::optional<Semver> parse_normalized(std::string_view text);

  [[nodiscard]] std::uint64_t major() const { return numbers_[0]; }
  [[nodiscard]] std::uint64_t minor() const { return numbers_[1]; }
  [[nodiscard]] std::uint64_t patch() const { return numbers_[2]; }
  /// -1, 0, 1; build metadata is ignored.
  [[nodiscard]] int compare(const Semver& other) const;

 private:
  struct Part {
    std::optional<std::uint64_t> number;
    std::string text;
  };
  [[nodiscard]] static int compare(const Part& a, const Part& b);
  [[nodiscard]] bool read_parts(std::string_view text);

  std::uint64_t numbers_[3] = {};
  std::vector<Part> parts_;  ///< Prerelease parts.
};

struct Value;

struct Null {};
struct Bytes {
  std::string text;
};

struct Failure {
  std::string text;
};

/// Unknown: the deciding value is missing, or is not supported here.
struct Open {};
struct QuantityValue {
  Quantity quantity;
  bool is_sum = false;    ///< From `add` or `sub`, which compares differently.
  bool is_plain = false;  ///< Written as digits and a suffix for whole units.
};

struct Optional {
  std::shared_ptr<const Value> value;  ///< Null: none.
};

struct Map {
  std::vector<std::pair<Value, Value>> entries;
  bool has_default = false;  ///< A missing key gives an empty map, except for `in`.
  bool is_partial = false;   ///< There may be more entries.
};

using ListPtr = std::shared_ptr<const std::vector<Value>>;
using MapPtr = std::shared_ptr<const Map>;

/// A CEL value, or why there is none.
struct Value {
  std::variant<Null, bool, std::int64_t, std::uint64_t, double, std::string, Bytes, ListPtr, MapPtr,
               QuantityValue, Semver, Optional, Failure, Open>
      held;

  template <class T>
  [[nodiscard]] const T* as() const {
    return std::get_if<T>(&held);
  }
  [[nodiscard]] bool is_failure() const { return as<Failure>() != nullptr; }
  [[nodiscard]] bool is_open() const { return as<Open>() != nullptr; }
  [[nodiscard]] bool is(bool truth) const {
    const bool* own = as<bool>();
    return own != nullptr && *own == truth;
  }
};

[[nodiscard]] Value failure(std::string text);
[[nodiscard]] Value no_overload();
[[nodiscard]] Value open_value();
[[nodiscard]] Value make_value(bool value);
[[nodiscard]] Value make_value(std::int64_t value);
[[nodiscard]] Value make_value(double value);
[[nodiscard]] Value make_value(std::string value);
[[nodiscard]] Value make_list(std::vector<Value> items);
[[nodiscard]] Value make_map(std::vector<std::pair<Value, Value>> entries, bool has_default);
[[nodiscard]] Value make_partial_map(std::vector<std::pair<Value, Value>> entries);
[[nodiscard]] Value some(Value value);
[[nodiscard]] Value none();

/// CEL's `==`: true, false, a failure if the types cannot be compared, or unknown.
[[nodiscard]] Value equal(const Value& a, const Value& b);
/// The order of two numbers of any types; unordered if one is not a number or is NaN.
[[nodiscard]] std::partial_ordering order_numbers(const Value& a, const Value& b);
/// Whether it is int, uint or double.
[[nodiscard]] bool is_number(const Value& value);
/// The entry of a map; null: none. Ignores defaults.
[[nodiscard]] const Value* find_entry(const Map& map, const Value& key);
/// Whether it is unknown if the map has an entry with this key.
[[nodiscard]] bool is_entry_open(const Map& map, const Value& key);

}  // namespace gpulint::cel
