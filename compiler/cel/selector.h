#pragma once

#include <cstdint>
#include <optional>
#include <string>
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

/// What a selector sees of a device. Names may have a domain: `gpu.nvidia.com/index`; those without
/// are in the driver's.
struct DeviceView {
  std::optional<std::string> driver;  ///< nullopt: opaque.
  std::optional<bool> allows_many;    ///< allowMultipleAllocations; nullopt: opaque.
  std::vector<std::pair<std::string, Attribute>> attributes;
  std::vector<std::pair<std::string, std::optional<Quantity>>> capacity;
  bool is_open = false;  ///< There may be attributes or capacities that are not seen.
};

enum class Verdict : std::uint8_t {
  no,
  yes,
  error,  ///< The scheduler gives the pod up.
  open
};

struct Match {
  Verdict verdict = Verdict::open;
  std::string text;  ///< Of errors.
};

/// A device selector (`cel.expression`), read once.
class Selector {
 public:
  explicit Selector(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] Understood understood() const { return understood_; }
  /// Why the API server refuses it, or it is not read; where in the text.
  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  [[nodiscard]] std::size_t complained() const { return complained_; }

  [[nodiscard]] Match match(const DeviceView& device) const;

  /// The parts that `&&` joins at the top, in their order.
  [[nodiscard]] std::vector<Index> terms() const;
  [[nodiscard]] std::string term_text(Index term) const;
  [[nodiscard]] Match match_term(Index term, const DeviceView& device) const;

  /// `device.attributes["domain"].name` and the same of capacity, as the text names them.
  struct Use {
    bool is_capacity = false;
    std::string domain;
    std::string name;  ///< Empty: only the domain is named.
    std::size_t begin = 0;
  };
  [[nodiscard]] std::vector<Use> uses() const;

 private:
  std::string text_;
  Program program_;
  Understood understood_ = Understood::fully;
  std::string complaint_;
  std::size_t complained_ = 0;
};

}  // namespace gpulint::cel
