#include "compiler/model/dra/device_index.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

namespace gpulint::dra {
namespace {

/// Tells values of one type apart; nullopt: it is of another type than `literal`.
[[nodiscard]] std::optional<std::string> key_of(const cel::Value* value,
                                                const cel::Value& literal) {
  if (value == nullptr || value->held.index() != literal.held.index()) return std::nullopt;
  if (const auto* text = value->as<std::string>()) return *text;
  if (const auto* number = value->as<std::int64_t>()) return std::to_string(*number);
  return value->is(true) ? "true" : "false";
}

/// Positions come in order.
void add(DeviceIndex::Positions& positions, std::size_t position) {
  if (positions.empty() || positions.back() != position) positions.push_back(position);
}

}  // namespace

const DeviceIndex::Attribute& DeviceIndex::index_of(const cel::Selector::Demand& demand) const {
  const auto& [use, value] = demand;
  const auto [at, is_new] =
      attributes_.try_emplace(std::tuple(use.domain, use.name, value.held.index()));
  Attribute& attribute = at->second;
  if (!is_new) return attribute;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (groups_[i].is_open) add(attribute.others, i);
    for (const Device* device : groups_[i].devices) {
      const cel::Value* own = cel::find_attribute(device->variable, use.domain, use.name);
      const auto key = device->is_open ? std::nullopt : key_of(own, value);
      add(key ? attribute.by_value[*key] : attribute.others, i);
    }
  }
  return attribute;
}

DeviceIndex::Positions DeviceIndex::find(std::span<const cel::Selector::Demand> demands) const {
  const std::scoped_lock lock(mutex_);
  std::optional<Positions> fewest;
  for (const cel::Selector::Demand& demand : demands) {
    const Attribute& attribute = index_of(demand);
    const auto equal = attribute.by_value.find(*key_of(&demand.value, demand.value));
    Positions found;
    std::ranges::set_union(equal == attribute.by_value.end() ? Positions() : equal->second,
                           attribute.others, std::back_inserter(found));
    if (!fewest || found.size() < fewest->size()) fewest = std::move(found);
  }
  if (fewest) return *std::move(fewest);
  Positions all(groups_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace gpulint::dra
