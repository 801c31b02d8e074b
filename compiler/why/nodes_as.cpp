#include "compiler/why/nodes_as.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/gpu_catalog.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/why/devices.h"

namespace gpulint::why {
namespace {

constexpr std::string_view gpu = "nvidia.com/gpu";
constexpr std::string_view strategy_label = "nvidia.com/mig.strategy";
constexpr std::string_view layout_label = "nvidia.com/mig.config";
constexpr std::string_view gke_partition_label = "cloud.google.com/gke-gpu-partition-size";

struct Partitions {
  std::string resource;
  std::string profile;
  std::int64_t amount = 0;
};

[[nodiscard]] std::vector<Partitions> named_partitions(const NodePool& pool) {
  std::vector<Partitions> found;
  for (const ResourceEntry& entry : pool.allocatable) {
    const GpuResource resource = classify_resource(entry.name.value);
    if (resource.kind != GpuResource::Kind::mig || !entry.amount.is_known()) continue;
    const std::int64_t amount = entry.amount.value().value();
    if (amount > 0) found.push_back({entry.name.value, resource.profile, amount});
  }
  return found;
}

/// GPU models that the nodes' labels or machines name.
[[nodiscard]] std::vector<const MigGpu*> models_of(const NodePool& pool) {
  std::vector<const MigGpu*> models;
  const auto add = [&](std::string_view product) {
    if (const MigGpu* const model = find_mig_gpu(product)) models.push_back(model);
  };
  for (const std::string& product : pool.gpu_products) add(product);
  for (const PoolLabel& label : pool.labels) {
    for (const DeviceName* name : devices_named_by(label)) add(name->product);
  }
  return models;
}

/// `1g.5gb` for the layout `all-1g.5gb`; empty for other layouts.
[[nodiscard]] std::string layout_size(const NodePool& pool) {
  constexpr std::string_view all = "all-";
  const std::string layout = label_value(pool, layout_label);
  const bool is_size = layout.starts_with(all) && is_known_profile(layout.substr(all.size()));
  return is_size ? layout.substr(all.size()) : "";
}

}  // namespace

Partitioning partitioning_of(const NodePool& pool) {
  if (!label_value(pool, gke_partition_label).empty()) return Partitioning::gke;
  if (!named_partitions(pool).empty()) return Partitioning::mixed;
  const std::string strategy = label_value(pool, strategy_label);
  if (is_partition_product(label_value(pool, product_label))) return Partitioning::single;
  const std::string layout = label_value(pool, layout_label);
  const bool is_laid_out = !layout.empty() && layout != "all-disabled";
  return strategy == "single" && is_laid_out ? Partitioning::single : Partitioning::none;
}

std::string partition_size_of(const NodePool& pool) {
  if (std::string size = label_value(pool, gke_partition_label); !size.empty()) return size;
  const std::vector<Partitions> named = named_partitions(pool);
  if (!named.empty()) return named.size() == 1 ? named.front().profile : "";
  const std::string product = label_value(pool, product_label);
  return is_partition_product(product) ? std::string(profile_of_product(product))
                                       : layout_size(pool);
}

std::string missing_layout(const NodePool& pool) {
  const std::string size = layout_size(pool);
  const std::vector<const MigGpu*> models = models_of(pool);
  if (size.empty() || models.empty()) return {};
  const bool is_there =
      std::ranges::any_of(models, [&](const MigGpu* model) { return has_profile(*model, size); });
  return is_there ? "" : fmt::format("{} GPUs have no partition `{}`", models.front()->name, size);
}

std::string possible_layout(const NodePool& pool) {
  if (missing_layout(pool).empty()) return {};
  const std::string size = layout_size(pool);
  const std::string slices = size.substr(0, size.find('.') + 1);
  for (const MigGpuProfile& profile : models_of(pool).front()->profiles) {
    if (profile.name.starts_with(slices)) return std::string(profile.name);
  }
  return {};
}

std::int64_t amount_of(const NodePool& pool, std::string_view resource) {
  for (const ResourceEntry& entry : pool.allocatable) {
    if (entry.name.value == resource && entry.amount.is_known()) {
      return entry.amount.value().value();
    }
  }
  return 0;
}

void set_label(NodePool& pool, const std::string& key, const std::string& value) {
  std::erase_if(pool.labels, [&](const PoolLabel& label) { return label.key == key; });
  pool.labels.push_back(
      {.key = key, .known = PoolLabel::Known::exact, .values = {value}, .node = {}});
}

void set_amount(NodePool& pool, const std::string& resource, std::int64_t amount) {
  std::erase_if(pool.allocatable,
                [&](const ResourceEntry& entry) { return entry.name.value == resource; });
  pool.allocatable.push_back({{resource, {}}, Field<Quantity>::known(Quantity::of(amount))});
}

bool make_single(NodePool& pool) {
  const std::vector<Partitions> named = named_partitions(pool);
  if (named.size() != 1) return false;
  set_amount(pool, named.front().resource, 0);
  set_amount(pool, std::string(gpu), named.front().amount);
  set_label(pool, std::string(strategy_label), "single");
  const std::string product = label_value(pool, product_label);
  if (!product.empty() && !is_partition_product(product)) {
    set_label(pool, std::string(product_label),
              product_of_partition(whole_product(product), named.front().profile));
  }
  return true;
}

bool cut(NodePool& pool, const std::string& size) {
  std::int64_t partitions = 0;
  for (const MigGpu* model : models_of(pool)) {
    if (const MigGpuProfile* const profile = find_profile(*model, size)) {
      partitions = std::max<std::int64_t>(partitions, profile->max_instances);
    }
  }
  if (partitions == 0) return false;
  for (const Partitions& present : named_partitions(pool)) set_amount(pool, present.resource, 0);
  set_amount(pool, std::string(gpu), partitions * std::max<std::int64_t>(1, amount_of(pool, gpu)));
  set_label(pool, std::string(strategy_label), "single");
  set_label(pool, std::string(layout_label), "all-" + size);
  const std::string product = label_value(pool, product_label);
  if (!product.empty()) {
    set_label(pool, std::string(product_label), product_of_partition(whole_product(product), size));
  }
  return true;
}

}  // namespace gpulint::why
