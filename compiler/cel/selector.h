#pragma once

// cel: the CEL of device selectors. Text → checked expression → yes, no, error or unknown. Length,
// depth and steps are bounded. It does not know devices beyond the attributes that it receives.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/cel/expression.h"
#include "compiler/model/quantity.h"

namespace gpulint::cel {

/// A semantic version, as written.
struct VersionText {
  std::string text;
  friend bool operator==(const VersionText&, const VersionText&) = default;
};
/// A value of a device's attribute; monostate: opaque.
using Attribute =
    std::variant<std::monostate, bool, std::int64_t, std::string, VersionText, std::vector<bool>,
                 std::vector<std::int64_t>, std::vector<std::string>, std::vector<VersionText>>;

/// The facts of a device that a selector sees. Names may have a domain: `gpu.nvidia.com/index`;
/// those without one are in the driver's.
struct DeviceView {
  std::optional<std::string> driver;  ///< nullopt: opaque.
  std::optional<bool> allows_many;    ///< allowMultipleAllocations; nullopt: opaque.
  std::vector<std::pair<std::string, Attribute>> attributes;
  std::vector<std::pair<std::string, std::optional<Quantity>>> capacity;
  bool is_partial = false;  ///< There may be more attributes and capacities.
};

/// The variable `device`: unknown if the device is, a failure if Kubernetes cannot create it.
[[nodiscard]] Value device_value(const DeviceView& device);

/// The value of an attribute in what device_value() makes; null if it is missing or unknown.
[[nodiscard]] const Value* find_attribute(const Value& device, std::string_view domain,
                                          std::string_view name);

/// The parts of an attribute's or capacity's name.
struct QualifiedName {
  std::string_view domain;
  std::string_view name;
};
/// `domain/name`, or a name in the driver's domain.
[[nodiscard]] QualifiedName qualify(std::string_view name, std::string_view driver);

enum class Verdict : std::uint8_t {
  no,
  yes,
  error,  ///< The scheduler stops trying to place the pod.
  open
};

struct Match {
  Verdict verdict = Verdict::open;
  std::string text;  ///< For errors.
};

/// A device selector (`cel.expression`), read once.
class Selector {
 public:
  explicit Selector(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] Understood understood() const { return complaint_.understood; }
  /// Why the API server rejects it, or why it was not read.
  [[nodiscard]] const Complaint& complaint() const { return complaint_; }

  /// `device`: from device_value().
  [[nodiscard]] Match match(const Value& device) const;

  /// The operands of the outermost `&&`, in order.
  [[nodiscard]] std::vector<Index> terms() const;
  [[nodiscard]] std::string term_text(Index term) const;
  [[nodiscard]] Match match_term(Index term, const Value& device) const;

  /// `device.attributes["domain"].name`, and the same for capacity, as written.
  struct Use {
    bool is_capacity = false;
    std::string domain;
    std::string name;  ///< Empty: only the domain is named.
    std::size_t begin = 0;
  };
  [[nodiscard]] std::vector<Use> uses() const;

  /// A text that a name is compared with: by `==`, or in a list by `in`.
  struct Comparison {
    Use use;
    std::string text;
    std::size_t begin = 0;  ///< Of the text.
  };
  [[nodiscard]] std::vector<Comparison> comparisons() const;

  /// What an attribute must equal for the device to match: `==` with a text, whole number or bool,
  /// in a part that `&&` joins at the top.
  struct Demand {
    Use attribute;
    Value value;
  };
  [[nodiscard]] std::vector<Demand> demands() const;

 private:
  [[nodiscard]] std::optional<Demand> demand_of(Index named, Index constant) const;
  /// The attribute or capacity that an expression names; nullopt: neither.
  [[nodiscard]] std::optional<Use> use_of(const Expression& expression) const;

  std::string text_;
  Program program_;
  Complaint complaint_;
};

}  // namespace gpulint::cel
