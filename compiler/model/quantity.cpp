#include "compiler/model/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

__extension__ typedef __int128 Int128;

/// 5 × 10^37: the sum of two still fits into 128 bits.
constexpr Int128 max_nano =
    static_cast<Int128>(1'000'000'000'000'000'000) * 1'000'000'000'000'000'000 * 50;
constexpr Int128 max_binary = std::numeric_limits<std::int64_t>::max();
/// With more digits Kubernetes leaves its 64-bit path.
constexpr std::size_t max_fast_digits = 18;
constexpr std::size_t max_kept_digits = 36;

/// How often `base` divides `value`.
[[nodiscard]] std::pair<Int128, int> remove_factors(Int128 value, int base) {
  int times = 0;
  while (value != 0 && value % base == 0) {
    value /= base;
    ++times;
  }
  return {value, times};
}

[[nodiscard]] std::string integer_text(Int128 value) {
  std::string digits;
  const bool negative = value < 0;
  do {
    const int digit = static_cast<int>(value % 10);
    digits.insert(digits.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    value /= 10;
  } while (value != 0);
  return negative ? "-" + digits : digits;
}

struct DecimalSuffix {
  std::string_view text;
  int exponent;
};
constexpr std::array<DecimalSuffix, 10> decimal_suffixes{{{"n", -9},
                                                          {"u", -6},
                                                          {"m", -3},
                                                          {"", 0},
                                                          {"k", 3},
                                                          {"M", 6},
                                                          {"G", 9},
                                                          {"T", 12},
                                                          {"P", 15},
                                                          {"E", 18}}};
constexpr std::array<std::string_view, 7> binary_suffixes{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

/// `value` × 10^exponent, saturated at ±max_nano; rounded away from zero.
[[nodiscard]] Int128 scale_decimal(Int128 value, std::int64_t exponent) {
  if (value == 0) return 0;
  for (; exponent > 0; --exponent) {
    if (value > max_nano / 10 || value < -max_nano / 10) return value > 0 ? max_nano : -max_nano;
    value *= 10;
  }
  bool inexact = false;
  for (; exponent < 0 && value != 0; ++exponent) {
    inexact = inexact || value % 10 != 0;
    value /= 10;
  }
  return inexact ? value + 1 : value;
}

/// Blanks that are blanks in the JSON text that the API server trims (tabs and line breaks are
/// escaped there).
[[nodiscard]] std::string_view trim_json_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

/// One parse: splits the text as the reference scanner does, then reads the parts.
class QuantityParser {
 public:
  explicit QuantityParser(std::string_view text) : text_(text) {}

  [[nodiscard]] std::optional<Quantity> parse() {
    if (text_.empty() || !split() || !interpret_suffix()) return std::nullopt;
    Quantity result;
    result.format_ = format_;
    if (format_ == Quantity::Format::binary) {
      read_binary(result);
    } else {
      read_decimal(result);
    }
    if (result.is_big_ && integer_.empty() && fraction_.empty() && !has_zeros_) return std::nullopt;
    const bool saturated = result.nano_ == max_nano;
    if (is_negative_) result.nano_ = -result.nano_;
    if (is_canonical_ || saturated) result.text_ = text_;
    return result;
  }

 private:
  /// Sign, integer digits without leading zeros, fraction digits, suffix.
  [[nodiscard]] bool split() {
    std::size_t at = 0;
    const auto digits_from = [this](std::size_t from) {
      while (from < text_.size() && is_digit(text_[from])) ++from;
      return from;
    };
    if (text_[0] == '-' || text_[0] == '+') ++at;
    is_negative_ = text_[0] == '-';
    while (at < text_.size() && text_[at] == '0') ++at;
    has_zeros_ = at > 0 && text_[at - 1] == '0';
    std::size_t end = digits_from(at);
    integer_ = text_.substr(at, end - at);
    if (end < text_.size() && text_[end] == '.') {
      at = end + 1;
      end = digits_from(at);
      fraction_ = text_.substr(at, end - at);
    }
    at = end;
    end = std::min(text_.find_first_not_of("eEinumkKMGTP", at), text_.size());
    if (end < text_.size() && (text_[end] == '-' || text_[end] == '+')) ++end;
    end = digits_from(end);
    suffix_ = text_.substr(at, end - at);
    return end == text_.size();
  }

  [[nodiscard]] bool interpret_suffix() {
    for (const DecimalSuffix& known : decimal_suffixes) {
      if (suffix_ != known.text) continue;
      exponent_ = known.exponent;
      return true;
    }
    for (std::size_t i = 1; i < binary_suffixes.size(); ++i) {
      if (suffix_ != binary_suffixes[i]) continue;
      exponent_ = static_cast<int>(i) * 10;
      format_ = Quantity::Format::binary;
      return true;
    }
    format_ = Quantity::Format::exponent;
    if (suffix_.size() < 2 || (suffix_[0] != 'e' && suffix_[0] != 'E')) return false;
    std::string_view number = suffix_.substr(1);
    if (number.starts_with('+')) number.remove_prefix(1);
    std::int64_t value = 0;
    const char* end = number.data() + number.size();
    const auto [stop, error] = std::from_chars(number.data(), end, value);
    if (error != std::errc{} || stop != end || number.empty()) return false;
    exponent_ = static_cast<std::int32_t>(value);  // wraps, as the reference does
    return true;
  }

  struct Mantissa {
    Int128 value = 0;
    std::int64_t scale = 0;  ///< Power of ten to multiply `value` by.
  };
  /// Integer and fraction digits as one number; digits after the 36th only affect rounding.
  [[nodiscard]] Mantissa mantissa() const {
    Mantissa result;
    std::size_t used = 0;
    bool inexact = false;
    for (const std::string_view part : {integer_, fraction_}) {
      for (const char digit : part) {
        const bool is_fraction = part.data() == fraction_.data();
        if (used == max_kept_digits) {
          inexact = inexact || digit != '0';
          if (!is_fraction) ++result.scale;
          continue;
        }
        result.value = result.value * 10 + (digit - '0');
        if (is_fraction) --result.scale;
        if (result.value != 0) ++used;
      }
    }
    if (inexact) ++result.value;
    return result;
  }

  /// Digits as the reference counts them: an empty integer part is one zero.
  [[nodiscard]] std::size_t digit_count() const {
    return std::max<std::size_t>(integer_.size(), 1) + fraction_.size();
  }

  [[nodiscard]] bool ends_in_three_zeros() const {
    if (fraction_.size() >= 3) return fraction_.ends_with("000");
    return std::ranges::all_of(fraction_, [](char c) { return c == '0'; }) &&
           integer_.size() + fraction_.size() >= 3 &&
           integer_.ends_with(std::string_view("000").substr(fraction_.size()));
  }

  void read_decimal(Quantity& result) {
    const Mantissa digits = mantissa();
    const std::int64_t scale = exponent_ - static_cast<std::int64_t>(fraction_.size());
    result.nano_ = scale_decimal(digits.value, digits.scale + exponent_ + 9);
    result.is_big_ = digit_count() > max_fast_digits || scale < -9;
    is_canonical_ =
        !result.is_big_ && scale % 3 == 0 && !integer_.empty() && !ends_in_three_zeros();
  }

  void read_binary(Quantity& result) {
    result.is_big_ = !fraction_.empty() || !fits_fast_path();
    const Int128 whole = integer_.size() > 19 ? max_nano : digits_value(integer_);
    const Int128 part = digits_value(fraction_.substr(0, max_fast_digits));
    const auto part_digits = static_cast<std::int64_t>(std::min(fraction_.size(), max_fast_digits));
    if (whole > max_binary >> exponent_) {
      result.nano_ = max_binary * Quantity::nano_per_unit;
    } else {
      result.nano_ = (whole << exponent_) * Quantity::nano_per_unit +
                     scale_decimal(part << exponent_, 9 - part_digits);
      result.nano_ = std::min(result.nano_, max_binary * Quantity::nano_per_unit);
    }
    is_canonical_ = !result.is_big_ && (whole & 7) != 0;
    if (result.is_big_ && result.nano_ > 0 && result.nano_ < Quantity::nano_per_unit) {
      result.format_ = Quantity::Format::decimal;
    }
  }

  /// At most 19 digits.
  [[nodiscard]] static Int128 digits_value(std::string_view digits) {
    Int128 value = 0;
    for (const char digit : digits) value = value * 10 + (digit - '0');
    return value;
  }

  /// The reference's estimate of whether digits × 2^exponent stays within 64 bits.
  [[nodiscard]] bool fits_fast_path() const {
    return digit_count() + static_cast<std::size_t>(exponent_ * 3 / 10) <= 14;
  }

  std::string_view text_;
  std::string_view integer_;
  std::string_view fraction_;
  std::string_view suffix_;
  bool has_zeros_ = false;  ///< Leading zeros, which `integer_` does not have.
  bool is_negative_ = false;
  bool is_canonical_ = false;
  int exponent_ = 0;
  Quantity::Format format_ = Quantity::Format::decimal;
};

Quantity Quantity::of(std::int64_t whole) {
  Quantity result;
  result.nano_ = static_cast<Int128>(whole) * nano_per_unit;
  return result;
}

std::optional<Quantity> Quantity::parse(std::string_view text) {
  return QuantityParser(trim_json_blanks(text)).parse();
}

std::int64_t Quantity::scaled(std::int64_t unit) const {
  Int128 result = nano_ / unit;
  if (nano_ % unit != 0) result += nano_ > 0 ? 1 : -1;
  const bool fits = result <= std::numeric_limits<std::int64_t>::max() &&
                    result >= std::numeric_limits<std::int64_t>::min();
  if (fits) return static_cast<std::int64_t>(result);
  if (!is_big_ || nano_ == max_nano || nano_ == -max_nano) return 0;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(result));
}

Quantity Quantity::rounded_up_to_milli() const {
  const Int128 rest = nano_ % nano_per_milli;
  if (rest == 0) return *this;
  Quantity result = *this;
  result.text_.clear();
  result.nano_ += (nano_ > 0 ? nano_per_milli : -nano_per_milli) - rest;
  return result;
}

std::string Quantity::decimal_text(Format format) const {
  auto [amount, times] = remove_factors(nano_, 10);
  int exponent = times - 9;
  for (; exponent % 3 != 0; --exponent) amount *= 10;
  std::string number = integer_text(amount);
  if (format == Format::exponent)
    return exponent == 0 ? number : fmt::format("{}e{}", number, exponent);
  for (const DecimalSuffix& suffix : decimal_suffixes) {
    if (suffix.exponent == exponent) return fmt::format("{}{}", number, suffix.text);
  }
  return number;  // above 10^18 the reference loses the suffix
}

std::string Quantity::to_string() const {
  if (!text_.empty()) return text_;
  if (nano_ == 0) return "0";
  constexpr Int128 kibi = static_cast<Int128>(1024) * nano_per_unit;
  const bool is_binary =
      format_ == Format::binary && (nano_ <= -kibi || nano_ >= kibi) && nano_ % nano_per_unit == 0;
  if (!is_binary) return decimal_text(format_ == Format::binary ? Format::decimal : format_);
  const auto [amount, times] = remove_factors(nano_ / nano_per_unit, 1024);
  const auto suffix = static_cast<std::size_t>(times);
  return integer_text(amount) +
         std::string(suffix < binary_suffixes.size() ? binary_suffixes[suffix] : "");
}

Quantity operator+(const Quantity& a, const Quantity& b) {
  Quantity result;
  result.format_ = a.is_zero() ? b.format_ : a.format_;
  result.is_big_ = a.is_big_ || b.is_big_;
  result.nano_ = std::clamp(a.nano_ + b.nano_, -max_nano, max_nano);
  return result;
}

Quantity operator-(const Quantity& a, const Quantity& b) {
  Quantity result;
  result.format_ = a.is_zero() ? b.format_ : a.format_;
  result.is_big_ = a.is_big_ || b.is_big_;
  result.nano_ = std::clamp(a.nano_ - b.nano_, -max_nano, max_nano);
  return result;
}

}  // namespace gpulint
