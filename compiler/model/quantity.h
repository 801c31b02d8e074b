#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpulint {

/// A Kubernetes resource quantity, exact (k8s.io/apimachinery resource.Quantity): a decimal stored
/// as a whole number of nano-units. Finer quantities round away from zero, as in Kubernetes; beyond
/// 10^29 they saturate, which makes no difference for the functions below.
class Quantity {
 public:
  Quantity() = default;
  [[nodiscard]] static Quantity of(std::int64_t whole);

  /// Parses `1`, `500m`, `2Gi`, `1e3`, `.5`, `+1` …; nullopt if Kubernetes rejects it. Trims blanks
  /// around the number, as the API server does with quantities in JSON strings.
  [[nodiscard]] static std::optional<Quantity> parse(std::string_view text);

  [[nodiscard]] bool is_zero() const { return nano_ == 0; }
  [[nodiscard]] bool is_negative() const { return nano_ < 0; }
  /// Whether the API server accepts it for a resource that is counted in whole units.
  [[nodiscard]] bool is_whole() const { return milli_value() % 1000 == 0; }
  /// Quantity.Value(): rounded up (away from zero) to a whole number. Values beyond int64 are as in
  /// Kubernetes: 0, or the low 64 bits if written with more than 18 digits.
  [[nodiscard]] std::int64_t value() const { return scaled(nano_per_unit); }
  /// Quantity.MilliValue(): the same in thousandths.
  [[nodiscard]] std::int64_t milli_value() const { return scaled(nano_per_milli); }
  /// The API server's value of an entry of a resource list: rounded up to thousandths.
  [[nodiscard]] Quantity rounded_up_to_milli() const;
  /// Quantity.String(): canonical, in the same format (binary, decimal, exponent): `1500m`, `2Gi`,
  /// `8`.
  [[nodiscard]] std::string to_string() const;

  friend Quantity operator+(const Quantity& a, const Quantity& b);
  friend Quantity operator-(const Quantity& a, const Quantity& b);
  friend std::strong_ordering operator<=>(const Quantity& a, const Quantity& b) {
    return a.nano_ <=> b.nano_;
  }
  friend bool operator==(const Quantity& a, const Quantity& b) { return a.nano_ == b.nano_; }

 private:
  friend class QuantityParser;
  enum class Format : std::uint8_t { decimal, binary, exponent };
  __extension__ typedef __int128 Int128;  // NOLINT: `using` is not covered by __extension__
  static constexpr std::int64_t nano_per_unit = 1'000'000'000;
  static constexpr std::int64_t nano_per_milli = 1'000'000;

  [[nodiscard]] std::int64_t scaled(std::int64_t unit) const;
  [[nodiscard]] std::string decimal_text(Format format) const;

  Int128 nano_ = 0;
  Format format_ = Format::decimal;
  bool is_big_ = false;  ///< Kubernetes keeps it as a big number, which overflows differently.
  std::string text_;     ///< As written, if Kubernetes treats that as canonical.
};

}  // namespace gpulint
