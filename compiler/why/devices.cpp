#include "compiler/why/devices.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/flyte/accelerator.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/schedule/gpu_relation.h"

namespace gpulint::why {
namespace {

[[nodiscard]] flyte::AcceleratorSettings settings_of(const Subject& subject) {
  if (subject.release == nullptr || subject.task == nullptr) return {};
  return flyte::accelerator_settings(subject.release->propeller, accelerator_of(*subject.task));
}

}  // namespace

bool is_device_label(std::string_view key, const Subject& subject) {
  return has_role(key, "device") || settings_of(subject).device_label.equals(std::string(key));
}

bool is_partition_label(std::string_view key, const Subject& subject) {
  return has_role(key, "partition") ||
         settings_of(subject).partition_label.equals(std::string(key));
}

std::vector<std::string> offered_accelerators(const NodePool& pool) {
  std::vector<std::string> offered;
  for (const ResourceEntry& entry : pool.allocatable) {
    const bool is_none = entry.amount.is_known() && entry.amount.value().is_zero();
    if (is_none || !is_gpu_resource(entry.name.value)) continue;
    offered.push_back(entry.amount.is_known() ? fmt::format("{}: {}", entry.name.value,
                                                            entry.amount.value().to_string())
                                              : entry.name.value);
  }
  std::ranges::sort(offered);
  return offered;
}

std::string label_value(const NodePool& pool, std::string_view key) {
  for (const PoolLabel& label : pool.labels) {
    if (label.key != key || label.values.size() != 1) continue;
    if (label.known == PoolLabel::Known::exact || label.known == PoolLabel::Known::provider) {
      return label.values.front();
    }
  }
  return {};
}

std::vector<const DeviceName*> devices_named_by(const PoolLabel& label) {
  if (label.known != PoolLabel::Known::exact || label.values.size() != 1) return {};
  std::vector<const DeviceName*> names = find_device(whole_product(label.values.front()));
  if (has_role(label.key, "device")) return names;
  std::erase_if(names, [](const DeviceName* name) {
    return name->vocabulary == DeviceVocabulary::karpenter;  // short ones
  });
  return names;
}

bool has_product(const NodePool& pool, std::string_view device) {
  const std::vector<const DeviceName*> meant = find_device(device);
  const auto means_it = [&](std::string_view product) {
    return std::ranges::any_of(meant,
                               [&](const DeviceName* name) { return name->product == product; });
  };
  for (const PoolLabel& label : pool.labels) {
    if (std::ranges::any_of(devices_named_by(label), means_it, &DeviceName::product)) return true;
    const bool is_named_so = is_gpu_label(label.key) && label.values.size() == 1 &&
                             label.known == PoolLabel::Known::exact &&
                             label.values.front() == device;
    if (is_named_so) return true;
  }
  return std::ranges::any_of(pool.gpu_products, means_it);
}

std::string other_device(const NodePool& pool, std::string_view device) {
  if (find_device(device).empty() || has_product(pool, device)) return {};
  for (const PoolLabel& label : pool.labels) {
    if (!devices_named_by(label).empty()) return label.values.front();
  }
  return pool.gpu_products.size() == 1 ? pool.gpu_products.front() : "";
}

}  // namespace gpulint::why
