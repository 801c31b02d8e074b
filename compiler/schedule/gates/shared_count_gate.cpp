#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/model/device_plugin/device_plugin_config.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"

namespace gpulint {
namespace {

/// By default MPS rejects several replicas, time-slicing allows them.
[[nodiscard]] bool refuses_several(const DevicePluginConfig& config) {
  return config.fail_requests_greater_than_one.value_or(config.sharing ==
                                                        DevicePluginConfig::Sharing::mps);
}

[[nodiscard]] bool shares(const DevicePluginConfig& config, std::string_view resource) {
  return std::ranges::any_of(config.replicated, [&](const ReplicatedResource& replicated) {
    return replicated.offered_name() == resource;
  });
}

struct Configs {
  std::vector<DevicePluginConfig> read;
  bool are_others_unread = false;
};

/// The sharing strategy that allows one device per container; nothing if a node may have another
/// configuration.
[[nodiscard]] Node find_refusal(const Configs& configs, std::string_view resource) {
  const bool is_only_shared = resource.ends_with(".shared");
  if (configs.are_others_unread && !is_only_shared) return {};
  Node found;
  for (const DevicePluginConfig& config : configs.read) {
    if (config.opaque) return {};
    if (!config.accepted()) continue;  // such nodes offer nothing
    const bool is_shared = shares(config, resource);
    if (is_shared ? !refuses_several(config) : !is_only_shared) return {};
    if (is_shared && !found) found = config.sharing_node;
  }
  return found;
}

/// GKE's time-sharing allows one device per container
/// (container-engine-accelerators:pkg/gpu/nvidia/gpusharing@992db8125755).
[[nodiscard]] Node find_gke_time_sharing(const PodSpec& pod) {
  for (const LabelEntry& entry : pod.node_selector) {
    const bool is_strategy = entry.key.value == "cloud.google.com/gke-gpu-sharing-strategy";
    if (is_strategy && entry.value.equals("time-sharing")) return entry.value.node();
  }
  return {};
}

void check_container(Obstacles& found, const Configs& configs, const Workload& workload,
                     const Container& container) {
  for (const ResourceEntry& entry : container.resources.limits) {
    const std::string& name = entry.name.value;
    if (!is_nvidia_device(name) || !entry.amount.is_known() || !entry.amount.node()) continue;
    const std::int64_t amount = entry.amount.value().value();
    if (amount < 2) continue;
    const Node gke = name == "nvidia.com/gpu" ? find_gke_time_sharing(workload.pod) : Node{};
    const Node refusal = gke ? gke : find_refusal(configs, name);
    if (!refusal) continue;
    found
        .add(entry.amount.node(),
             "{} of {} requests {} `{}`, but a shared GPU allows only 1 per container",
             describe(container), describe(workload), amount, name)
        .related(refusal,
                 gke ? fmt::format("time-sharing allows only 1 `{}` per container", name)
                     : fmt::format("the configuration in `{}` allows only 1 `{}` per container",
                                   refusal.key().text(), name))
        .help(
            "set `{}: 1`. Otherwise the kubelet rejects the pod (`UnexpectedAdmissionError`). A "
            "larger number does not give more of the GPU",
            name);
  }
}

[[nodiscard]] Configs read_configs(const ScopeModel& model) {
  Configs configs;
  const std::vector<Node> roots = device_plugin_config_roots(model.documents);
  for (const Node root : roots) {
    configs.read.push_back(read_device_plugin_config(root));
    configs.are_others_unread = configs.are_others_unread || has_unread_siblings(roots, root);
  }
  return configs;
}

}  // namespace

FindObstacles make_shared_count_gate(const ScopeModel& model) {
  return [configs = read_configs(model)](const Workload& workload) {
    Obstacles found(Gate::node);
    for (const Container& container : workload.pod.containers) {
      check_container(found, configs, workload, container);
    }
    return std::move(found).take();
  };
}

}  // namespace gpulint
