#include "compiler/model/dra/capacity.h"

#include <algorithm>
#include <limits>

namespace gpulint::dra {
namespace {

using Kind = CapacityAnswer::Kind;

/// nullopt: beyond int64.
[[nodiscard]] std::optional<Quantity> round_up(const Quantity& wanted, const Capacity& capacity) {
  if (wanted < *capacity.minimum) return capacity.minimum;
  if (!capacity.step) return wanted;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (wanted > Quantity::of(most)) return std::nullopt;
  const std::int64_t step = capacity.step->value();
  const std::int64_t minimum = capacity.minimum->value();
  const std::int64_t above = wanted.value() - minimum;
  const std::int64_t steps = above / step + (above % step != 0 ? 1 : 0);
  if (steps > (most - minimum) / step) return std::nullopt;
  return Quantity::of(minimum + step * steps);
}

/// The amount taken from one capacity; nullopt: an error.
[[nodiscard]] std::optional<Quantity> consumed(const Quantity* wanted, const Capacity& capacity) {
  if (wanted == nullptr) return capacity.fallback.value_or(capacity.value);
  if (!capacity.has_policy) return *wanted;
  if (capacity.has_range && capacity.minimum) return round_up(*wanted, capacity);
  for (const Quantity& value : capacity.values) {
    if (*wanted <= value) return value;
  }
  return *wanted;
}

[[nodiscard]] bool violates(const Quantity& taken, const Capacity& capacity) {
  if (!capacity.has_policy) return false;
  if (capacity.fallback && taken == *capacity.fallback) return false;
  if (capacity.has_range) {
    if (capacity.maximum && taken > *capacity.maximum) return true;
    if (!capacity.step) return false;
    return (taken.value() - capacity.minimum->value()) % capacity.step->value() != 0;
  }
  return !capacity.values.empty() && std::ranges::count(capacity.values, taken) == 0;
}

[[nodiscard]] const Quantity* find(const Amounts& amounts, const std::string& name) {
  const auto found =
      std::ranges::find_if(amounts, [&](const auto& one) { return one.first == name; });
  return found == amounts.end() ? nullptr : &found->second;
}

}  // namespace

Consumption sum_of(const std::vector<Consumption>& shares) {
  Consumption sum;
  for (const Consumption& share : shares) {
    for (const auto& [name, amount] : share) sum[name] = sum[name] + amount;
  }
  return sum;
}

CapacityAnswer take_capacity(const Device& device, const Amounts& requests,
                             const Consumption& used) {
  for (const auto& [name, amount] : requests) {
    const bool is_there = std::ranges::any_of(
        device.capacity, [&](const Capacity& capacity) { return capacity.name == name; });
    if (!is_there) return {Kind::too_little, {}};
  }
  CapacityAnswer answer;
  for (const Capacity& capacity : device.capacity) {
    const auto taken = consumed(find(requests, capacity.name), capacity);
    if (!taken || taken->is_negative()) return {Kind::error, {}};
    answer.taken.emplace(capacity.name, *taken);
  }
  for (const Capacity& capacity : device.capacity) {
    const Quantity& taken = answer.taken.at(capacity.name);
    if (violates(taken, capacity)) return {Kind::too_little, {}};
    const auto before = used.find(capacity.name);
    const Quantity sum = before == used.end() ? taken : taken + before->second;
    if (sum > capacity.value) return {Kind::too_little, {}};
  }
  return answer;
}

}  // namespace gpulint::dra
