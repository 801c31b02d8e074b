#include "compiler/model/pools/pool_fields.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

/// Domains in which kubelets, cloud controllers and operators set labels that no table lists.
constexpr std::array<std::string_view, 8> open_domains{
    "kubernetes.io", "k8s.io",    "karpenter.sh",          "karpenter.k8s.aws",
    "amazonaws.com", "eksctl.io", "node.cluster.x-k8s.io", "kops.k8s.io"};

/// A label about accelerators in the domain of a managed Kubernetes: the table has all that the
/// provider sets (`eks.amazonaws.com/accelerator` is not one).
[[nodiscard]] bool is_like_providers_gpu_label(std::string_view key) {
  constexpr std::array<std::string_view, 3> domains{"cloud.google.com/gke-", "eks.amazonaws.com/",
                                                    "kubernetes.azure.com/"};
  const bool is_theirs = std::ranges::any_of(
      domains, [&](std::string_view domain) { return key.starts_with(domain); });
  return is_theirs && (key.find("gpu") != std::string_view::npos ||
                       key.find("accelerator") != std::string_view::npos);
}

}  // namespace

const PoolLabel* find_label(const NodePool& pool, std::string_view key) {
  const auto found = std::ranges::find(pool.labels, key, &PoolLabel::key);
  return found == pool.labels.end() ? nullptr : &*found;
}

void set_label(NodePool& pool, PoolLabel label) {
  const auto found = std::ranges::find(pool.labels, label.key, &PoolLabel::key);
  if (found == pool.labels.end()) {
    pool.labels.push_back(std::move(label));
  } else {
    *found = std::move(label);
  }
}

void set_label(NodePool& pool, std::string key, PoolLabel::Known known,
               std::vector<std::string> values, Node node) {
  set_label(pool, PoolLabel{std::move(key), known, std::move(values), node});
}

void add_machine_type(NodePool& pool, Node scalar) {
  const Field<std::string> type = scalar ? read_string(scalar) : Field<std::string>{};
  if (!type.is_known()) return;
  pool.machine_types.push_back({type.value(), scalar});
  for (const DeviceName* gpu : gpus_of_instance_type(type.value())) {
    const std::string product(gpu->product);
    if (std::ranges::find(pool.gpu_products, product) == pool.gpu_products.end()) {
      pool.gpu_products.push_back(product);
    }
  }
}

void add_machine_types(NodePool& pool, Node list) {
  const std::vector<Node> types = list.items();
  if (!std::ranges::all_of(types, [](Node type) { return read_string(type).is_known(); })) return;
  for (const Node type : types) add_machine_type(pool, type);
}

Node find_repeated_key(Node node) {
  Node found;
  walk(node, [&](Node at) {
    if (found || !at.is_mapping()) return;
    std::unordered_set<std::string_view> seen;
    for (const Node::Entry& entry : at.entries()) {
      const Node key = entry.key.resolved();
      if (!found && key.text() != "<<" && !seen.insert(key.text()).second) found = at;
    }
  });
  return found;
}

bool is_string_map(Node mapping) {
  if (!mapping || mapping.is_null()) return true;
  if (!mapping.is_mapping()) return false;
  return std::ranges::none_of(read_string_map(mapping),
                              [](const LabelEntry& entry) { return entry.value.is_mistyped(); });
}

bool has_known_keys(Node mapping) {
  if (!mapping || mapping.is_null()) return true;
  return mapping.is_mapping() && std::ranges::none_of(mapping.fields(), [](const Node::Entry& e) {
           return e.key.is_opaque();
         });
}

bool may_be_added(std::string_view label_key) {
  if (is_like_providers_gpu_label(label_key)) return !labels_with_key(label_key).empty();
  const std::size_t slash = label_key.find('/');
  const std::string_view domain =
      slash == std::string_view::npos ? std::string_view{} : label_key.substr(0, slash);
  return std::ranges::any_of(
             open_domains, [&](std::string_view open) { return is_domain_under(domain, open); }) ||
         !labels_with_key(label_key).empty();
}

}  // namespace gpulint
