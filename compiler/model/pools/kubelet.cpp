#include "compiler/model/pools/kubelet.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/taint_spec.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

// k8s.io/kubelet/pkg/apis: labels that a kubelet may set on its own node.
constexpr std::array<std::string_view, 11> allowed_labels{
    "beta.kubernetes.io/arch",
    "beta.kubernetes.io/instance-type",
    "beta.kubernetes.io/os",
    "failure-domain.beta.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone",
    "kubernetes.io/arch",
    "kubernetes.io/hostname",
    "kubernetes.io/os",
    "node.kubernetes.io/instance-type",
    "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone"};
constexpr std::array<std::string_view, 2> allowed_domains{"kubelet.kubernetes.io",
                                                          "node.kubernetes.io"};

/// Whether a key lies in `kubernetes.io` or `k8s.io` outside what a kubelet may set.
[[nodiscard]] bool is_forbidden_node_label(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view domain = key.substr(0, slash);
  if (!is_domain_under(domain, "kubernetes.io") && !is_domain_under(domain, "k8s.io")) return false;
  if (std::ranges::find(allowed_labels, key) != allowed_labels.end()) return false;
  return std::ranges::none_of(
      allowed_domains, [&](std::string_view allowed) { return is_domain_under(domain, allowed); });
}

}  // namespace

std::span<const std::string_view> kubelet_labels() { return allowed_labels; }

std::string node_label_error(const std::vector<PoolLabel>& labels) {
  std::vector<std::string_view> forbidden;
  std::vector<std::string> invalid;
  for (const PoolLabel& label : labels) {
    if (is_forbidden_node_label(label.key)) forbidden.push_back(label.key);
    for (const std::string& problem : label_key_problems(label.key)) {
      invalid.push_back(fmt::format("'{}' - {}", label.key, problem));
    }
    for (const std::string& value : label.values) {
      for (const std::string& problem : label_value_problems(value)) {
        invalid.push_back(fmt::format("'{}' - {}", value, problem));
      }
    }
  }
  if (!forbidden.empty()) {
    return fmt::format("unknown 'kubernetes.io' or 'k8s.io' labels: {}", fmt::join(forbidden, " "));
  }
  if (!invalid.empty()) return fmt::format("invalid node labels: {}", fmt::join(invalid, "; "));
  return {};
}

LabelMap parse_node_labels(std::string_view text, Node node) {
  std::map<std::string, std::string> labels;
  for (const std::string_view entry : split(text, ',')) {
    if (entry.empty()) continue;
    const std::size_t equals = entry.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view{} : entry.substr(equals + 1);
    labels[std::string(trim(entry.substr(0, equals)))] = trim(value);
  }
  LabelMap result;
  for (auto& [key, value] : labels) {
    result.labels.push_back({key, PoolLabel::Known::exact, {std::move(value)}, node});
  }
  result.error = node_label_error(result.labels);
  return result;
}

RegisteredTaints parse_register_with_taints(std::string_view text, Node node) {
  if (text.empty()) return {};
  std::vector<Value<std::string>> specs;
  for (const std::string_view spec : split(text, ',')) specs.push_back({std::string(spec), node});
  TaintSpecs parsed = parse_taint_specs(specs);
  return {std::move(parsed.taints), std::move(parsed.error)};
}

NodePool read_kubelet_configuration(Node object) {
  NodePool pool;
  pool.source = NodePool::Source::kubelet;
  pool.name = object_name(object);
  pool.node = object;
  const Node list = object.get("registerWithTaints");
  bool decodes = !list || list.is_null() || list.is_sequence();
  for (const Node item : list.items()) {
    decodes = decodes && (item.is_mapping() || item.is_null());
  }
  for (Taint& taint : read_taints(list)) {
    decodes = decodes && !taint.key.is_mistyped() && !taint.value.is_mistyped() &&
              !taint.effect.is_mistyped();
    pool.taints.push_back(std::move(taint));
  }
  pool.error = decodes ? kubelet_taint_error(pool.taints)
                       : "decode: registerWithTaints is a list of {key, value, effect}";
  if (!decodes) pool.taints.clear();
  return pool;
}

}  // namespace gpulint
