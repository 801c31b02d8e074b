#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpulint {

/// A Kubernetes resource quantity, exactly (k8s.io/apimachinery resource.Quantity): a decimal kept
/// as a whole number of nano-units. Quantities finer than a nano-unit round up, as in Kubernetes.
class Quantity {
 public:
  Quantity() = default;
  [[nodiscard]] static Quantity of(std::int64_t whole);

  /// Parses `1`, `500m`, `2Gi`, `1e3`, `.5`, `+1`, `" 1 "` …; nullopt where Kubernetes refuses.
  [[nodiscard]] static std::optional<Quantity> parse(std::string_view text);

  [[nodiscard]] bool is_zero() const { return nano_ == 0; }
  [[nodiscard]] bool is_negative() const { return nano_ < 0; }
  [[nodiscard]] bool is_whole() const;
  /// The value rounded up to a whole number (Quantity.Value()), clamped to int64.
  [[nodiscard]] std::int64_t value() const;
  /// Rounded up to thousandths (Quantity.MilliValue()), clamped to int64.
  [[nodiscard]] std::int64_t milli_value() const;
  /// Canonical text, the format (binary, decimal, exponent) kept: `1500m`, `2Gi`, `8`.
  [[nodiscard]] std::string to_string() const;

  friend Quantity operator+(Quantity a, Quantity b);
  friend Quantity operator-(Quantity a, Quantity b);
  friend std::strong_ordering operator<=>(Quantity a, Quantity b) {
    return a.nano_ <=> b.nano_;
  }
  friend bool operator==(Quantity a, Quantity b) { return a.nano_ == b.nano_; }

 private:
  enum class Format : std::uint8_t { decimal, binary, exponent };
  __extension__ using Int128 = __int128;

  Int128 nano_ = 0;
  Format format_ = Format::decimal;
};

}  // namespace gpulint
