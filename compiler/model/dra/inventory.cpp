#include "compiler/model/dra/inventory.h"

#include <algorithm>

namespace gpulint::dra {
namespace {

/// The prefix of a class's name that is used as a resource name.
constexpr std::string_view implicit_resource = "deviceclass.resource.kubernetes.io/";

void taint(Slice& slice, const TaintRule& rule) {
  if (!rule.has_selector && !rule.is_open) return;
  if (rule.driver.value_or(slice.driver) != slice.driver) return;
  if (rule.pool.value_or(slice.pool) != slice.pool) return;
  for (Device& device : slice.devices) {
    if (rule.device.value_or(device.name) != device.name) continue;
    device.is_open = device.is_open || rule.is_open;
    device.taints.push_back(rule.taint);
  }
}

[[nodiscard]] bool may_select(const DeviceClass& device_class, const Slice& slice) {
  return std::ranges::any_of(slice.devices, [&](const Device& device) {
    return device.is_open || select_by_class(device_class, device) != cel::Verdict::no;
  });
}

}  // namespace

cel::Verdict select_by_class(const DeviceClass& device_class, const Device& device) {
  for (const DeviceSelector& selector : device_class.selectors) {
    const cel::Verdict verdict = selector.cel->match(device.variable).verdict;
    if (verdict != cel::Verdict::yes) return verdict;
  }
  return cel::Verdict::yes;
}

Inventory::Inventory(Stock stock) : stock_(std::move(stock)) {
  for (std::size_t i = 0; i < stock_.slices.size(); ++i) {
    Slice& slice = stock_.slices[i];
    (slice.nodes.name.empty() ? of_several_ : by_node_[slice.nodes.name]).push_back(i);
    by_pool_[{slice.driver, slice.pool}].push_back(i);
    for (const TaintRule& rule : stock_.taint_rules) taint(slice, rule);
  }
  for (DeviceClass& one : stock_.classes) {
    one.may_select = std::ranges::any_of(
        stock_.slices, [&](const Slice& slice) { return may_select(one, slice); });
  }
  for (const Holding& held : stock_.holdings) {
    held_[{{held.driver, held.pool}, held.device}].push_back(&held);
    if (!held.pod.empty()) holders_.insert(held.pod);
  }
}

const DeviceClass* Inventory::find_class(std::string_view name) const {
  const auto found = std::ranges::find(stock_.classes, name, &DeviceClass::name);
  return found == stock_.classes.end() ? nullptr : &*found;
}

Inventory::Backing Inventory::find_backing(std::string_view resource) const {
  if (resource.starts_with(implicit_resource)) {
    return {find_class(resource.substr(implicit_resource.size())), false};
  }
  Backing backing;
  for (const DeviceClass& one : stock_.classes) {
    if (one.is_resource_open) backing.is_open = true;
    if (one.extended_resource != resource) continue;
    const DeviceClass* other = std::exchange(backing.device_class, &one);
    if (other == nullptr) continue;
    // the younger class serves; of equals the first by name
    if (other->created.empty() || one.created.empty()) backing.is_open = true;
    const bool stays =
        other->created != one.created ? other->created > one.created : other->name < one.name;
    if (stays) backing.device_class = other;
  }
  return backing;
}

std::vector<const Slice*> Inventory::slices_for(std::string_view node) const {
  std::vector<const Slice*> found;
  for (const std::size_t i : of_several_) found.push_back(&stock_.slices[i]);
  const auto own = by_node_.find(node);
  if (own == by_node_.end()) return found;
  for (const std::size_t i : own->second) found.push_back(&stock_.slices[i]);
  return found;
}

std::vector<const Slice*> Inventory::slices_of(const std::string& driver,
                                               const std::string& pool) const {
  std::vector<const Slice*> found;
  const auto own = by_pool_.find({driver, pool});
  if (own == by_pool_.end()) return found;
  for (const std::size_t i : own->second) found.push_back(&stock_.slices[i]);
  return found;
}

std::span<const Holding* const> Inventory::holdings_of(const Slice& slice,
                                                       const Device& device) const {
  if (held_.empty()) return {};
  const auto found = held_.find({{slice.driver, slice.pool}, device.name});
  if (found == held_.end()) return {};
  return found->second;
}

}  // namespace gpulint::dra
