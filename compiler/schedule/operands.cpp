#include "compiler/schedule/operands.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

/// Matches any value by default; an empty effect matches all effects.
struct DefaultToleration {
  std::string_view key;
  std::string_view effect;
  std::string_view op = "Exists";
  std::string_view value = {};
};

/// A label that a chart's own affinity accepts.
struct DefaultLabel {
  std::string_view key;
  std::string_view value;
};

/// A DaemonSet that a chart or operator creates.
struct Operand {
  std::string_view owner;          ///< Chart or kind (OperatorKeys::name).
  std::string_view name;           ///< Determines its role (gpu_daemon.h).
  std::string_view tolerations;    ///< Path in the values, or in the spec.
  std::string_view selector = {};  ///< Path of a node selector; may be empty.
  std::string_view affinity = {};  ///< Path of an affinity; may be empty.
  /// Paths of switches, separated by blanks: the first that is set decides.
  std::string_view enabled = {};
  bool is_on = true;  ///< If no switch is set.
  /// Whether its operator removes it from nodes with `nvidia.com/gpu.deploy.operands: "false"`.
  bool is_deployed_by_label = false;
  std::span<const DefaultToleration> defaults;
  std::string_view label = {};  ///< Label in the chart's own selector.
  std::string_view label_value = {};
  std::string_view runtime_class = {};  ///< Key of a runtime class; the chart sets none by default.
  std::span<const DefaultLabel> accepted = {};  ///< The chart's own affinity: one of these.
  std::string_view labelled_by = {};  ///< Paths of the switches of what sets these labels.
  std::string_view bare_chart = {};   ///< An older name of the chart, then without `defaults`.
};

constexpr DefaultToleration nvidia_gpu[] = {{"nvidia.com/gpu", "NoSchedule"}};
constexpr DefaultToleration of_device_plugin[] = {{"CriticalAddonsOnly", ""},
                                                  {"nvidia.com/gpu", "NoSchedule"}};
constexpr DefaultLabel on_gpu_nodes[] = {
    {"feature.node.kubernetes.io/pci-10de.present", "true"},
    {"feature.node.kubernetes.io/cpu-model.vendor_id", "NVIDIA"},
    {"nvidia.com/gpu.present", "true"}};
constexpr DefaultLabel on_dra_nodes[] = {
    {"feature.node.kubernetes.io/pci-10de.present", "true"},
    {"feature.node.kubernetes.io/pci-0302_10de.present", "true"},
    {"feature.node.kubernetes.io/pci-0300_10de.present", "true"},
    {"feature.node.kubernetes.io/cpu-model.vendor_id", "NVIDIA"},
    {"nvidia.com/gpu.present", "true"}};
constexpr DefaultToleration of_exporter[] = {
    {"node-role.kubernetes.io/control-plane", "NoSchedule"}};
constexpr DefaultToleration of_discovery[] = {
    {"node-role.kubernetes.io/control-plane", "NoSchedule", "Equal"},
    {"nvidia.com/gpu", "NoSchedule"}};
constexpr DefaultToleration of_plugins_discovery[] = {
    {"node-role.kubernetes.io/master", "NoSchedule", "Equal"},
    {"nvidia.com/gpu", "NoSchedule", "Equal", "present"}};
constexpr DefaultToleration of_amds_discovery[] = {{"amd-dcm", "NoExecute", "Equal", "up"},
                                                   {"amd-gpu-unhealthy", "NoSchedule"}};
constexpr DefaultToleration of_amd[] = {{"CriticalAddonsOnly", ""}};

// The commits that facts/operator-keys.json names: deployments/gpu-operator/values.yaml,
// controllers/object_controls.go (applyCommonDaemonsetConfig: a list that is not empty replaces the
// assets' own) and state_manager.go; values.yaml of the other charts. ROCm/gpu-operator
// internal/plugin/plugin.go, hack/k8s-patch/metadata-patch/values.yaml;
// intel-device-plugins-for-kubernetes pkg/controllers/gpu/controller.go.
constexpr auto operands = std::to_array<Operand>({
    {.owner = "GPU Operator",
     .name = "nvidia-device-plugin-daemonset",
     .tolerations = "daemonsets.tolerations",
     .enabled = "devicePlugin.enabled",
     .is_deployed_by_label = true,
     .defaults = nvidia_gpu},
    {.owner = "GPU Operator",
     .name = "node-feature-discovery-worker",
     .tolerations = "node-feature-discovery.worker.tolerations",
     .selector = "node-feature-discovery.worker.nodeSelector",
     .affinity = "node-feature-discovery.worker.affinity",
     .enabled = "nfd.enabled",
     .defaults = of_discovery},
    {.owner = "ClusterPolicy",
     .name = "nvidia-device-plugin-daemonset",
     .tolerations = "daemonsets.tolerations",
     .enabled = "devicePlugin.enabled",
     .is_deployed_by_label = true,
     .defaults = nvidia_gpu},
    {.owner = "NVIDIA's device plugin",
     .name = "nvidia-device-plugin",
     .tolerations = "tolerations",
     .selector = "nodeSelector",
     .affinity = "affinity",
     .enabled = "devicePlugin.enabled",
     .defaults = of_device_plugin,
     .runtime_class = "runtimeClassName",
     .accepted = on_gpu_nodes,
     .labelled_by = "nfd.enabled gfd.enabled"},
    {.owner = "NVIDIA's device plugin",
     .name = "node-feature-discovery-worker",
     .tolerations = "nfd.worker.tolerations",
     .selector = "nfd.worker.nodeSelector",
     .affinity = "nfd.worker.affinity",
     .enabled = "nfd.enabled gfd.enabled",  // Chart.yaml, the condition of the dependency
     .is_on = false,
     .defaults = of_plugins_discovery},
    {.owner = "DCGM exporter",
     .name = "dcgm-exporter",
     .tolerations = "tolerations",
     .selector = "nodeSelector",
     .affinity = "affinity",
     .defaults = of_exporter,
     .runtime_class = "runtimeClassName"},
    {.owner = "Node Feature Discovery",
     .name = "node-feature-discovery-worker",
     .tolerations = "worker.tolerations",
     .selector = "worker.nodeSelector",
     .affinity = "worker.affinity",
     .enabled = "worker.enable",
     .defaults = {}},
    {.owner = "NVIDIA's DRA driver",
     .name = "nvidia-dra-driver-gpu-kubelet-plugin",
     .tolerations = "kubeletPlugin.tolerations",
     .selector = "kubeletPlugin.nodeSelector",
     .affinity = "kubeletPlugin.affinity",
     .defaults = nvidia_gpu,
     .accepted = on_dra_nodes,
     .bare_chart = "nvidia-dra-driver-gpu"},
    {.owner = "AMD's device plugin",
     .name = "amd-gpu-device-plugin-daemonset",
     .tolerations = "tolerations",
     .defaults = of_amd},
    {.owner = "HAMi",
     .name = "hami-vgpu-device-plugin",
     .tolerations = "devicePlugin.tolerations",
     .selector = "devicePlugin.nvidiaNodeSelector",
     .enabled = "devicePlugin.enabled",
     .defaults = {},
     .label = "gpu",
     .label_value = "on"},
    {.owner = "AMD's GPU Operator",
     .name = "amd-gpu-device-plugin-daemonset",
     .tolerations = "deviceConfig.spec.devicePlugin.devicePluginTolerations",
     .selector = "deviceConfig.spec.selector",
     .enabled = "crds.defaultCR.install",
     .defaults = {},
     .label = "feature.node.kubernetes.io/amd-gpu",
     .label_value = "true"},
    {.owner = "AMD's GPU Operator",
     .name = "node-feature-discovery-worker",
     .tolerations = "node-feature-discovery.worker.tolerations",
     .selector = "node-feature-discovery.worker.nodeSelector",
     .affinity = "node-feature-discovery.worker.affinity",
     .enabled = "node-feature-discovery.enabled",
     .defaults = of_amds_discovery},
    {.owner = "DeviceConfig",
     .name = "amd-gpu-device-plugin-daemonset",
     .tolerations = "devicePlugin.devicePluginTolerations",
     .selector = "selector",
     .enabled = "devicePlugin.enableDevicePlugin",
     .defaults = {}},
    {.owner = "GpuDevicePlugin",
     .name = "intel-gpu-plugin",
     .tolerations = "tolerations",
     .selector = "nodeSelector",
     .defaults = {}},
    {.owner = "Intel's GPU device plugin",
     .name = "intel-gpu-plugin",
     .tolerations = "tolerations",
     .selector = "nodeSelector",
     .defaults = {}},
});

/// The value at a path such as `worker.tolerations`.
[[nodiscard]] Node find_path(Node at, std::string_view path) {
  while (at && !path.empty()) at = at.get(take_part(path, '.'));
  return at;
}

/// The key nearest to a path that the values do not have.
[[nodiscard]] Node nearest_key(Node values, std::string_view path) {
  Node at = values;
  while (!path.empty()) {
    const Node next = at.get(take_part(path, '.'));
    if (!next) break;
    at = next;
  }
  if (at.key()) return at.key();
  const std::vector<Node::Entry> entries = at.fields();
  return entries.empty() ? at : entries.front().key;
}

[[nodiscard]] Toleration make_toleration(const DefaultToleration& wanted) {
  Toleration toleration;
  toleration.key = Field<std::string>::known(std::string(wanted.key));
  toleration.op = Field<std::string>::known(std::string(wanted.op));
  if (!wanted.value.empty()) {
    toleration.value = Field<std::string>::known(std::string(wanted.value));
  }
  if (!wanted.effect.empty()) {
    toleration.effect = Field<std::string>::known(std::string(wanted.effect));
  }
  return toleration;
}

[[nodiscard]] SelectorRequirement make_requirement(std::string_view key, std::string_view op,
                                                   std::string_view value) {
  SelectorRequirement requirement;
  requirement.key = Field<std::string>::known(std::string(key));
  requirement.op = Field<std::string>::known(std::string(op));
  requirement.values.push_back(Field<std::string>::known(std::string(value)));
  return requirement;
}

/// The labels `nvidia.com/gpu.deploy.…` exclude a node from the operator's DaemonSets (NVIDIA GPU
/// Operator, "Preventing installation of operands on some nodes").
void leave_refusing_nodes(PodSpec& pod) {
  SelectorTerm term;
  for (const std::string_view key :
       {"nvidia.com/gpu.deploy.operands", "nvidia.com/gpu.deploy.device-plugin"}) {
    term.expressions.push_back(make_requirement(key, "NotIn", "false"));
  }
  pod.node_affinity.has_required = true;
  pod.node_affinity.required = {std::move(term)};
}

/// A list replaces that of the chart. If it is empty or null, no toleration is left, except for the
/// operator's DaemonSets, which then keep their own.
void read_tolerations(PodSpec& pod, const Operand& operand, Node values, std::string_view chart) {
  const Node list = find_path(values, operand.tolerations);
  const bool is_own = operand.is_deployed_by_label && list.size() == 0;
  if (list.is_opaque() || (list.is_scalar() && !list.is_null())) {
    pod.tolerations_opaque = true;
  } else if (list && !is_own) {
    pod.tolerations_node = list;
    pod.tolerations = read_tolerations(list);
  } else if (chart.empty() || chart != operand.bare_chart) {
    std::ranges::transform(operand.defaults, std::back_inserter(pod.tolerations), make_toleration);
  }
}

/// Helm merges mappings: these entries are added to the chart's own.
void read_selector(PodSpec& pod, const Operand& operand, Node values) {
  if (operand.selector.empty()) return;
  pod.node_selector_node = find_path(values, operand.selector);
  pod.node_selector = read_string_map(pod.node_selector_node);
  pod.node_selector_opaque = pod.node_selector_node.is_opaque();
  std::erase_if(pod.node_selector, [&](const LabelEntry& entry) {  // null removes a key
    return pod.node_selector_node.get(entry.key.value).is_null();
  });
  const bool is_written = pod.node_selector_node.get(operand.label) ||
                          (pod.node_selector_node && pod.node_selector_node.is_null());
  if (operand.label.empty() || is_written) return;
  pod.node_selector.push_back({{std::string(operand.label), {}},
                               Field<std::string>::known(std::string(operand.label_value))});
}

/// `null` and an empty text name no class.
void read_runtime_class(PodSpec& pod, const Operand& operand, Node values) {
  if (operand.runtime_class.empty()) return;
  const Node written = values.get(operand.runtime_class);
  const bool is_none = !written || written.is_null() || written.text().empty();
  if (!is_none) pod.runtime_class_name = read_string(values, operand.runtime_class);
}

/// Helm merges mappings: the chart's own affinity stays unless the values set `nodeAffinity`.
void read_affinity(PodSpec& pod, const Operand& operand, Node values) {
  if (operand.affinity.empty()) return;
  const Node affinity = find_path(values, operand.affinity);
  pod.affinity_opaque = affinity.is_opaque();
  if (affinity.is_mapping()) {
    PodSpec written = read_pod_spec(affinity.parent());
    pod.node_affinity = std::move(written.node_affinity);
  }
  const bool is_replaced = affinity && (!affinity.is_mapping() || affinity.get("nodeAffinity"));
  if (is_replaced || operand.accepted.empty()) return;
  for (std::string_view paths = operand.labelled_by; !paths.empty();) {
    pod.affinity_opaque =
        find_path(values, take_part(paths, ' ')).is_opaque() || pod.affinity_opaque;
  }
  pod.node_affinity.has_required = true;
  for (const DefaultLabel& label : operand.accepted) {
    pod.node_affinity.required.emplace_back().expressions.push_back(
        make_requirement(label.key, "In", label.value));
  }
}

[[nodiscard]] bool is_made(const Operand& operand, Node values) {
  for (std::string_view paths = operand.enabled; !paths.empty();) {
    const Node written = find_path(values, take_part(paths, ' '));
    if (written && !written.is_null()) return written.text() == "true";
  }
  return operand.is_on;
}

[[nodiscard]] Workload make(const Operand& operand, Node values, std::string_view chart) {
  Workload workload;
  workload.kind = Field<std::string>::known("DaemonSet");
  workload.name = operand.name;
  workload.role = fmt::format("{}: {}", operand.owner, operand.tolerations);
  workload.object = values;
  workload.template_node = nearest_key(values, operand.tolerations);
  PodSpec& pod = workload.pod;
  read_tolerations(pod, operand, values, chart);
  read_selector(pod, operand, values);
  read_runtime_class(pod, operand, values);
  if (operand.is_deployed_by_label) leave_refusing_nodes(pod);
  read_affinity(pod, operand, values);
  return workload;
}

void add_operands(const OperatorKeys& keys, Node values, std::string_view chart,
                  Workload::Origin origin, std::deque<Workload>& found) {
  for (const Operand& operand : operands) {
    if (operand.owner != keys.name || !is_made(operand, values)) continue;
    found.push_back(make(operand, values, chart));
    found.back().origin = origin;
  }
}

}  // namespace

std::string_view runtime_class_key(const Workload& operand) {
  if (operand.origin != Workload::Origin::values) return {};
  const auto found = std::ranges::find_if(operands, [&](const Operand& each) {
    return operand.name == each.name && std::string_view(operand.role).starts_with(each.owner);
  });
  return found == operands.end() ? std::string_view{} : found->runtime_class;
}

std::deque<Workload> find_operands(const ScopeModel& model) {
  std::deque<Workload> found;
  const std::vector<ChartUse> uses = model.chart_uses;
  for (const ChartUse& use : uses) {
    // An operator's chart has its own defaults for its subchart.
    const auto is_around = [&](const ChartUse& other) {
      const bool is_operator =
          other.keys->name == "GPU Operator" || other.keys->name == "AMD's GPU Operator";
      return is_operator && use.values.parent() == other.values;
    };
    if (std::ranges::any_of(uses, is_around)) continue;
    const auto layers = std::ranges::count(uses, use.keys, &ChartUse::keys);
    if (layers > 1 || use.has_more) continue;
    add_operands(*use.keys, use.values, use.chart, Workload::Origin::values, found);
  }
  for (const KubernetesObject& object : model.objects) {
    const OperatorKeys* const keys = find_operator_keys(object);
    if (keys == nullptr) continue;
    const Node spec = object.node.get("spec");
    if (!spec.is_mapping()) continue;
    add_operands(*keys, spec, {}, Workload::Origin::manifest, found);
  }
  return found;
}

}  // namespace gpulint
