#include "compiler/schedule/gpu_products.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/schedule/pool_machines.h"

namespace gpulint {
namespace {

/// `A100` of `A100-40GB`.
[[nodiscard]] std::string_view model_of(std::string_view product) {
  return product.substr(0, product.find_first_of("- "));
}

/// The products that a GPU can be; some names have several.
using Products = std::vector<std::string_view>;

/// The products of all GPUs of the pool's machines; empty if one is unknown.
[[nodiscard]] std::vector<Products> products_of(const NodePool& pool) {
  std::vector<Products> gpus;
  if (pool.gpu_products.size() == 1) {
    gpus.push_back({pool.gpu_products.front()});
    return gpus;
  }
  const auto machines = known_machines(pool);
  if (!machines) return gpus;
  for (const Machine* machine : *machines) {
    Products products;
    for (const DeviceName* name : find_device(machine->gpu_name)) products.push_back(name->product);
    const bool has_gpus = machine->count("nvidia.com/gpu").value_or(1) > 0;
    if (machine->is_open || (has_gpus && products.empty())) return {};
    if (!products.empty()) gpus.push_back(std::move(products));
  }
  return gpus;
}

/// The models of the pool's GPUs; empty if one is unknown.
[[nodiscard]] std::set<std::string_view> models_of(const NodePool& pool) {
  std::set<std::string_view> models;
  if (pool.gpu_products.size() > 1) {
    for (const std::string& product : pool.gpu_products) models.insert(model_of(product));
    return models;
  }
  for (const Products& products : products_of(pool)) {
    for (const std::string_view product : products) models.insert(model_of(product));
  }
  return models;
}

}  // namespace

std::vector<std::string_view> product_labels_of(const NodePool& pool) {
  std::vector<std::string_view> labels;
  for (const Products& products : products_of(pool)) {
    bool is_labelled = false;
    for (const DeviceName& name : device_names()) {
      if (name.vocabulary != DeviceVocabulary::gfd || !is_listed(products, name.product)) continue;
      is_labelled = true;
      if (!is_listed(labels, name.value)) labels.push_back(name.value);
    }
    if (!is_labelled) return {};
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
