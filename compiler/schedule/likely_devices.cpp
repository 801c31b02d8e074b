#include "compiler/schedule/likely_devices.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/pools/pool_facts.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/schedule/gpu_products.h"
#include "compiler/schedule/pod_claims.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/pool_machines.h"

namespace gpulint {
namespace {

constexpr std::string_view driver = "gpu.nvidia.com";
constexpr std::string_view counted = "nvidia.com/gpu";
constexpr std::string_view own_class = "gpu.nvidia.com";
constexpr std::string_view own_selector =
    "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'";

/// The product as NVIDIA's driver names it: the label with blanks for hyphens. Empty if the name
/// itself has hyphens, or the GPU has several labels.
[[nodiscard]] std::string name_product(const NodePool& pool) {
  const std::vector<std::string_view> labels = product_labels_of(pool);
  if (labels.size() != 1 || labels.front().find("-SXM") != std::string_view::npos) return {};
  std::string product(labels.front());
  std::ranges::replace(product, '-', ' ');
  return product;
}

/// The machine type in the Node's label; null if unknown.
[[nodiscard]] const Machine* machine_of(const NodePool& node) {
  const PoolLabel* const label = find_label(node, "node.kubernetes.io/instance-type");
  if (label == nullptr || label->known != PoolLabel::Known::exact) return nullptr;
  return find_machine(label->values.front());
}

/// The most NVIDIA GPUs that a machine of the pool has; nullopt if unknown.
[[nodiscard]] std::optional<std::int64_t> count_gpus(const NodePool& pool) {
  if (pool.source == NodePool::Source::node) {
    const Machine* machine = machine_of(pool);
    return machine == nullptr ? std::nullopt : machine->most(counted);
  }
  if (const auto machines = known_machines(pool)) return most_of(*machines, counted, false);
  if (has_accelerators(pool) == Ternary::no) return 0;
  return std::nullopt;
}

[[nodiscard]] dra::Device make_device(std::int64_t index, const std::string& product) {
  dra::Device device;
  device.name = fmt::format("gpu-{}", index);
  device.view.driver = driver;
  device.view.allows_many = false;
  device.view.is_partial = true;
  device.view.attributes.emplace_back("type", std::string("gpu"));
  if (!product.empty()) device.view.attributes.emplace_back("productName", product);
  device.variable = cel::device_value(device.view);
  return device;
}

/// nullopt if it certainly has no GPU.
[[nodiscard]] std::optional<dra::Slice> make_slice(const NodePool& pool, const std::string& node) {
  const std::optional<std::int64_t> count = count_gpus(pool);
  if (count == 0) return std::nullopt;
  const std::string product = name_product(pool);
  dra::Slice slice;
  slice.name = node;
  slice.driver = driver;
  slice.pool = node;
  slice.generation = 1;
  slice.count = 1;
  slice.nodes.name = node;
  slice.is_open = !count;
  for (std::int64_t i = 0; i < count.value_or(0); ++i) {
    slice.devices.push_back(make_device(i, product));
  }
  return slice;
}

[[nodiscard]] dra::DeviceClass make_own_class() {
  dra::DeviceClass made;
  made.name = own_class;
  made.selectors.push_back({{}, std::make_shared<const cel::Selector>(std::string(own_selector))});
  return made;
}

}  // namespace

LikelyNodes find_likely_nodes(const Cluster& cluster, std::span<const KubernetesObject> objects) {
  LikelyNodes likely;
  dra::Stock stock = read_stock(objects);
  for (const NodePool& pool : cluster.pools) {
    NodePool& node = likely.nodes.emplace_back(pool);
    // Several pools may have one name.
    node.name = fmt::format("node-{}", likely.nodes.size());
    node.source = NodePool::Source::node;
    if (auto slice = make_slice(pool, node.name)) stock.slices.push_back(std::move(*slice));
  }
  const bool has_own =
      std::ranges::find(stock.classes, own_class, &dra::DeviceClass::name) != stock.classes.end();
  if (!has_own) stock.classes.push_back(make_own_class());
  likely.inventory = std::make_shared<const dra::Inventory>(std::move(stock));
  return likely;
}

}  // namespace gpulint
