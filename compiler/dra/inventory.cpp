#include "compiler/dra/inventory.h"

#include <algorithm>

namespace gpulint::dra {

Inventory::Inventory(std::vector<Slice> slices, std::vector<DeviceClass> classes, Classes given)
    : slices_(std::move(slices)), classes_(std::move(classes)), given_(given) {
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    const Slice& slice = slices_[i];
    (slice.nodes.name.empty() ? of_several_ : by_node_[slice.nodes.name]).push_back(i);
    by_pool_[{slice.driver, slice.pool}].push_back(i);
  }
}

const DeviceClass* Inventory::find_class(std::string_view name) const {
  const auto found = std::ranges::find(classes_, name, &DeviceClass::name);
  return found == classes_.end() ? nullptr : &*found;
}

std::vector<const Slice*> Inventory::slices_for(std::string_view node) const {
  std::vector<const Slice*> found;
  for (const std::size_t i : of_several_) found.push_back(&slices_[i]);
  const auto own = by_node_.find(node);
  if (own == by_node_.end()) return found;
  for (const std::size_t i : own->second) found.push_back(&slices_[i]);
  return found;
}

std::vector<const Slice*> Inventory::slices_of(const std::string& driver,
                                               const std::string& pool) const {
  std::vector<const Slice*> found;
  const auto own = by_pool_.find({driver, pool});
  if (own == by_pool_.end()) return found;
  for (const std::size_t i : own->second) found.push_back(&slices_[i]);
  return found;
}

}  // namespace gpulint::dra
