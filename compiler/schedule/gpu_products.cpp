#include "compiler/schedule/gpu_products.h"

#include <algorithm>
#include <set>

#include "compiler/base/text.h"
#include "compiler/model/accelerator_catalog.h"
#include "compiler/model/machine_catalog.h"
#include "compiler/model/product_label.h"
#include "compiler/schedule/pool_machines.h"

namespace gpulint {
namespace {

/// `A100` of `A100-40GB`.
[[nodiscard]] std::string_view model_of(std::string_view product) {
  return product.substr(0, product.find_first_of("- "));
}

/// The models of the pool's GPUs; empty where one of them is not known.
[[nodiscard]] std::set<std::string_view> models_of(const NodePool& pool) {
  std::set<std::string_view> models;
  for (const std::string& product : pool.gpu_products) models.insert(model_of(product));
  if (!models.empty()) return models;
  const auto machines = known_machines(pool);
  if (!machines) return models;
  for (const Machine* machine : *machines) {
    const std::vector<const DeviceName*> names = find_device(machine->gpu_name);
    const bool has_gpus = machine->count("nvidia.com/gpu").value_or(1) > 0;
    if (machine->is_open || (has_gpus && names.empty())) return {};
    for (const DeviceName* name : names) models.insert(model_of(name->product));
  }
  return models;
}

}  // namespace

std::vector<std::string_view> product_labels_of(const NodePool& pool) {
  std::vector<std::string_view> labels;
  if (pool.gpu_products.size() == 1) {
    for (const DeviceName& name : device_names()) {
      const bool is_it =
          name.vocabulary == DeviceVocabulary::gfd && name.product == pool.gpu_products.front();
      if (is_it) labels.push_back(name.value);
    }
    return labels;
  }
  const auto machines = known_machines(pool);
  if (!machines) return labels;
  for (const Machine* machine : *machines) {
    const auto names = device_values_in(DeviceVocabulary::gfd, machine->gpu_name);
    if (names.empty() && (machine->is_open || !machine->gpu_name.empty())) return {};
    for (const std::string_view name : names) {
      if (!is_listed(labels, name)) labels.push_back(name);
    }
  }
  return labels;
}

bool is_of_other_gpu(const NodePool& pool, std::string_view value) {
  const std::vector<const DeviceName*> meant = find_device(whole_product(value));
  const bool is_known = std::ranges::any_of(
      meant, [](const DeviceName* name) { return name->vocabulary == DeviceVocabulary::gfd; });
  if (!is_known || pool.source == NodePool::Source::node) return false;
  const std::set<std::string_view> models = models_of(pool);
  return !models.empty() && std::ranges::none_of(meant, [&](const DeviceName* name) {
    return models.contains(model_of(name->product));
  });
}

}  // namespace gpulint
