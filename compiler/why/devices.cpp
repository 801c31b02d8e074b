#include "compiler/why/devices.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/flyte/accelerator.h"
#include "compiler/model/accelerator_catalog.h"
#include "compiler/model/gpu_resource.h"
#include "compiler/model/provider_catalog.h"

namespace gpulint::why {
namespace {

[[nodiscard]] bool has_role(std::string_view key, std::string_view role) {
  return std::ranges::any_of(labels_with_key(key),
                             [&](const ProviderLabel* label) { return label->role == role; });
}

[[nodiscard]] flyte::AcceleratorSettings settings_of(const Subject& subject) {
  if (subject.release == nullptr || subject.task == nullptr) return {};
  const auto& accelerator = subject.task->accelerator;
  return flyte::accelerator_settings(subject.release->propeller,
                                     accelerator ? &*accelerator : nullptr);
}

/// `NVIDIA-A100-SXM4-40GB-MIG-1g.5gb`, `…-SHARED` are names of the same product.
[[nodiscard]] std::string_view without_suffix(std::string_view value) {
  const std::size_t mig = value.find("-MIG-");
  if (mig != std::string_view::npos) return value.substr(0, mig);
  constexpr std::string_view shared = "-SHARED";
  return value.ends_with(shared) ? value.substr(0, value.size() - shared.size()) : value;
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

bool has_product(const NodePool& pool, std::string_view device) {
  const std::vector<const DeviceName*> meant = find_device(device);
  const auto means_it = [&](std::string_view product) {
    return std::ranges::any_of(meant,
                               [&](const DeviceName* name) { return name->product == product; });
  };
  for (const PoolLabel& label : pool.labels) {
    const bool is_claim = label.known == PoolLabel::Known::exact && label.values.size() == 1;
    if (!is_claim) continue;
    if (label.values.front() == device) return true;
    const std::vector<const DeviceName*> carried =
        find_device(without_suffix(label.values.front()));
    if (std::ranges::any_of(carried, means_it, &DeviceName::product)) return true;
  }
  return std::ranges::any_of(pool.gpu_products, means_it);
}

std::string other_device(const NodePool& pool, std::string_view device) {
  if (find_device(device).empty() || has_product(pool, device)) return {};
  for (const PoolLabel& label : pool.labels) {
    const bool is_claim = label.known == PoolLabel::Known::exact && label.values.size() == 1;
    if (is_claim && !find_device(without_suffix(label.values.front())).empty()) {
      return label.values.front();
    }
  }
  return pool.gpu_products.size() == 1 ? pool.gpu_products.front() : "";
}

}  // namespace gpulint::why
