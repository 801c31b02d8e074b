#include "rules/invalid-gpu-share/kai_annotations.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>

#include "compiler/base/text.h"
#include "compiler/model/quantity.h"

namespace gpulint::rules::invalid_gpu_share {
namespace {

constexpr std::array<std::string_view, 4> known_keys{fraction_key, memory_key, devices_key,
                                                     "gpu-fraction-container-name"};

/// The last part of a key, `.` and `_` read as `-`: `nvidia.com/gpu.memory` → `gpu-memory`.
[[nodiscard]] std::string plain(std::string_view key) {
  std::string name = to_lower(key.substr(key.find('/') == key.npos ? 0 : key.find('/') + 1));
  std::ranges::replace_if(name, [](char c) { return c == '.' || c == '_'; }, '-');
  return name;
}

}  // namespace

std::string_view meant_key(std::string_view key) {
  const std::string name = plain(key);
  for (const std::string_view known : known_keys) {
    if (name == known) return known;
  }
  if (name == "gpu-mem" || name == "gpumem") return memory_key;
  const bool is_part = edit_distance(name, fraction_key, 2) <= 2;
  return is_part ? fraction_key : std::string_view{};
}

bool is_fraction(std::string_view text) {
  const auto quantity = Quantity::parse(text);
  return quantity && !quantity->is_negative() && !quantity->is_zero() &&
         *quantity < Quantity::of(1);
}

bool is_positive_integer(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && number > 0;
}

}  // namespace gpulint::rules::invalid_gpu_share
