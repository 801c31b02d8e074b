#include "compiler/model/pools/kops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/provider_knowledge.h"
#include "compiler/model/pools/read_node.h"
#include "compiler/model/pools/taint_spec.h"

namespace gpulint {
namespace {

constexpr std::string_view gpu_taint = "nvidia.com/gpu:NoSchedule";
constexpr std::string_view gpu_taint_key = "nvidia.com/gpu";
constexpr std::string_view control_plane = "node-role.kubernetes.io/control-plane";
constexpr std::string_view api_server = "node-role.kubernetes.io/api-server";

/// kOps checks only this: two `=` or two `:`.
[[nodiscard]] std::optional<TaintText> parse_kops_taint(std::string_view spec) {
  const auto colons = std::ranges::count(spec, ':');
  if (colons == 0) return TaintText{spec, {}, {}};
  if (colons > 1) return std::nullopt;
  const std::size_t colon = spec.find(':');
  TaintText text{spec.substr(0, colon), {}, spec.substr(colon + 1)};
  if (std::ranges::count(text.key, '=') > 1) return std::nullopt;
  const std::size_t equals = text.key.find('=');
  if (equals == std::string_view::npos) return text;
  text.value = text.key.substr(equals + 1);
  text.key = text.key.substr(0, equals);
  return text;
}

/// Taints by their text, which is how kOps merges and orders them.
using TaintTexts = std::map<std::string, Node>;

[[nodiscard]] std::string add_taints(Node list, TaintTexts& taints) {
  if (!list || list.is_null()) return {};
  if (!list.is_sequence()) return "decode: taints must be a list of strings";
  std::set<std::string> seen;
  std::size_t index = 0;
  for (const Node item : list.items()) {
    const Field<std::string> spec = read_string(item);
    const std::size_t at = index++;
    if (spec.is_mistyped()) return "decode: taints must be a list of strings";
    if (spec.is_opaque()) continue;
    const std::string text = spec.value_or("");
    if (!parse_kops_taint(text)) {
      return fmt::format("validate: spec.taints[{}]: invalid taint value: {}", at, text);
    }
    if (!seen.insert(text).second) {
      return fmt::format("validate: spec.taints[{}]: duplicate value: {}", at, text);
    }
    taints.try_emplace(text, item);
  }
  return {};
}

/// The role as kOps stores it; v1alpha2 calls the control plane `Master`.
[[nodiscard]] std::string read_role(Node object) {
  const std::string role = read_string(object.get("spec"), "role").value_or("");
  const std::string version = read_string(object, "apiVersion").value_or("");
  return role == "Master" && version.ends_with("/v1alpha2") ? "ControlPlane" : role;
}

[[nodiscard]] bool is_role(std::string_view role) {
  return role == "ControlPlane" || role == "APIServer" || role == "Node" || role == "Bastion";
}

void add_role_labels(std::string_view role, NodePool& pool) {
  const Node node = pool.node.at("spec", "role");
  const auto add = [&](std::string_view key) {
    set_label(pool, std::string(key), PoolLabel::Known::exact, {""}, node);
  };
  if (role == "APIServer") add(api_server);
  if (role == "Node") add("node-role.kubernetes.io/node");
  if (role != "ControlPlane") return;
  add(control_plane);
  add("kops.k8s.io/kops-controller-pki");
  add("node.kubernetes.io/exclude-from-external-load-balancers");
}

/// `containerd.nvidiaGPU` labels and taints nodes with a GPU.
void add_gpu_defaults(Node spec, TaintTexts& taints, NodePool& pool) {
  const Node gpu = spec.at("containerd", "nvidiaGPU");
  if (!read_bool(gpu, "enabled").equals(true)) return;
  set_label(pool, "kops.k8s.io/gpu", PoolLabel::Known::exact, {"1"}, gpu);
  const bool is_tainted = std::ranges::any_of(spec.get("taints").items(), [](Node item) {
    return read_string(item).value_or("").starts_with(gpu_taint_key);
  });
  if (!is_tainted) taints.try_emplace(std::string(gpu_taint), gpu);
}

[[nodiscard]] std::string label_error(const std::vector<PoolLabel>& labels) {
  for (const PoolLabel& label : labels) {
    if (std::ranges::count(label.key, '/') <= 1) continue;
    return fmt::format("validate: spec.nodeLabels: {}: more than one slash", label.key);
  }
  return {};
}

/// Everything that can fail, before anything is passed on.
[[nodiscard]] std::string read_parts(Node object, std::string_view role, TaintTexts& taints,
                                     NodePool& pool) {
  const Node spec = object.get("spec");
  if (!is_string_map(spec.get("nodeLabels"))) return "decode: nodeLabels must be strings";
  std::string error = add_taints(spec.get("taints"), taints);
  if (error.empty()) error = add_taints(spec.at("kubelet", "taints"), taints);
  if (!error.empty()) return error;
  for (PoolLabel& label : read_pool_labels(spec.get("nodeLabels")))
    set_label(pool, std::move(label));
  error = label_error(pool.labels);
  if (!error.empty()) return error;
  return is_role(role) ? "" : fmt::format("labels: unhandled instanceGroup role \"{}\"", role);
}

/// A mixed instances policy has its own machine types, or requirements that do not name them.
void add_machines(Node spec, NodePool& pool) {
  const Node policy = spec.get("mixedInstancesPolicy");
  if (!policy) return add_machine_type(pool, spec.get("machineType"));
  if (policy.get("instanceRequirements")) return;
  if (policy.get("instances")) return add_machine_types(pool, policy.get("instances"));
  add_machine_type(pool, spec.get("machineType"));
}

/// The label with the name of the group. `kops create` writes it into `nodeLabels`. Node
/// identifiers of GCE and Azure (kops/pkg/nodeidentity) always set it; on AWS `nodeLabels` decide.
void add_group_label(Node object, NodePool& pool) {
  constexpr std::string_view key = "kops.k8s.io/instancegroup";
  const auto own = std::ranges::find(pool.labels, key, &PoolLabel::key);
  if (pool.name.empty()) return;
  if (own == pool.labels.end()) {
    return set_label(pool, std::string(key), PoolLabel::Known::provider, {pool.name},
                     object.at("metadata", "name"));
  }
  const bool is_aws = !pool.machine_types.empty() &&
                      std::ranges::all_of(pool.machine_types, [](const Value<std::string>& type) {
                        return type.value.find('.') != std::string::npos;  // `p3.2xlarge`
                      });
  if (is_aws || own->known != PoolLabel::Known::exact || own->values.front() == pool.name) return;
  own->known = PoolLabel::Known::one_of;
  own->values.push_back(pool.name);
}

}  // namespace

NodePool read_kops(Node object) {
  const Node spec = object.get("spec");
  NodePool pool;
  pool.source = NodePool::Source::kops;
  pool.name = object_name(object);
  pool.node = object;
  const std::string role = read_role(object);
  TaintTexts taints;
  pool.error = read_parts(object, role, taints, pool);
  if (!pool.error.empty()) {
    pool.labels.clear();
    return pool;
  }
  const std::vector<PoolLabel> own = std::move(pool.labels);
  pool.labels.clear();
  add_role_labels(role, pool);
  for (const PoolLabel& label : own) set_label(pool, label);
  pool.own_labels_complete = has_known_keys(spec.get("nodeLabels"));
  if (read_string(spec, "manager").equals("Karpenter")) {
    set_label(pool, "karpenter.sh/provisioner-name", PoolLabel::Known::exact, {pool.name},
              spec.get("manager"));
  }
  add_gpu_defaults(spec, taints, pool);
  if (role == "ControlPlane") {
    taints.try_emplace(std::string(control_plane) + "=:NoSchedule", spec.get("role"));
  }
  if (role == "APIServer") {
    taints.try_emplace(std::string(api_server) + "=:NoSchedule", spec.get("role"));
  }
  for (const auto& [text, node] : taints) {
    pool.taints.push_back(make_taint(parse_kops_taint(text).value_or(TaintText{}), node));
  }
  pool.kubelet_error = kubelet_taint_error(pool.taints);
  add_machines(spec, pool);
  add_group_label(object, pool);
  add_gpu_knowledge(pool);
  return pool;
}

}  // namespace gpulint
