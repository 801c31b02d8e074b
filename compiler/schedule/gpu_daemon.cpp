#include "compiler/schedule/gpu_daemon.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "compiler/base/text.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/schedule/gpu_relation.h"

namespace gpulint {
namespace {

using Role = GpuDaemonRole;

[[nodiscard]] bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

[[nodiscard]] bool holds_any(std::string_view text, std::span<const std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return holds(text, part); });
}

/// Name, images and commands, in lower case.
[[nodiscard]] std::string words_of(const Workload& workload) {
  std::string text = workload.name;
  for (const Container& container : workload.pod.containers) {
    text += ' ' + container.name.value_or("") + ' ' + container.image.value_or("");
    for (const Node word : container.node.get("command").items()) {
      text += ' ' + std::string(word.text());
    }
  }
  return to_lower(text);
}

struct Word {
  std::string_view text;
  std::string_view vendor;
};
constexpr auto vendors = std::to_array<Word>({{"nvidia", "nvidia.com"},
                                              {"dcgm", "nvidia.com"},
                                              {"gpu-feature-discovery", "nvidia.com"},
                                              {"rocm", "amd.com"},
                                              {"amdgpu", "amd.com"},
                                              {"amd-gpu", "amd.com"},
                                              {"neuron", "aws.amazon.com"},
                                              {"habana", "habana.ai"},
                                              {"intel-gpu", "gpu.intel.com"}});

[[nodiscard]] std::string_view vendor_of(std::string_view text) {
  for (const Word& word : vendors) {
    if (holds(text, word.text)) return word.vendor;
  }
  return {};
}

/// Other devices, such as network cards, also have device plugins of the same vendors.
constexpr auto network_words =
    std::to_array<std::string_view>({"multus", "rdma", "sriov", "mellanox", "network", "efa-k8s"});
/// The resources that network device plugins offer by default (aws-samples/aws-efa-eks, manifest;
/// Mellanox/k8s-rdma-shared-dev-plugin, README).
[[nodiscard]] std::string_view network_devices(std::string_view text) {
  if (holds(text, "efa-k8s")) return "vpc.amazonaws.com/efa";
  return holds(text, "rdma") ? "rdma/" : "";
}
constexpr auto other_devices = std::to_array<std::string_view>({"fpga", "smarter"});
constexpr auto driver_words =
    std::to_array<std::string_view>({"driver-installer", "nvidia-driver", "gpu-driver"});
constexpr auto discovery_words =
    std::to_array<std::string_view>({"node-feature-discovery", "nfd-worker"});
/// The other components of Node Feature Discovery run anywhere.
constexpr auto not_workers = std::to_array<std::string_view>({"master", "topology", "-gc"});

/// The first match counts, because a name can contain the name of its operator.
[[nodiscard]] std::optional<Role> role_of(std::string_view text) {
  if (holds(text, "gpu-feature-discovery")) return Role::feature_discovery;
  if (holds_any(text, discovery_words) && !holds_any(text, not_workers)) {
    return Role::node_feature_discovery;
  }
  if (holds(text, "vgpu-device-manager")) return Role::vgpu_manager;
  if (holds(text, "mig-manager")) return Role::mig_manager;
  if (holds(text, "container-toolkit")) return Role::container_toolkit;
  if (holds(text, "dra-driver")) return Role::dra_driver;
  if (holds(text, "device-plugin") || holds(text, "gpu-plugin")) return Role::device_plugin;
  if (holds(text, "dcgm-exporter")) return Role::monitoring;
  if (holds_any(text, driver_words)) return Role::driver;
  return std::nullopt;
}

/// `nvidia.com/gpu` of `nvidia.com`.
[[nodiscard]] bool is_of(std::string_view name, std::string_view domain) {
  return name.starts_with(domain) && name.substr(domain.size()).starts_with('/');
}

[[nodiscard]] bool is_label_of(std::string_view key, std::string_view domain) {
  if (is_of(key, domain)) return is_gpu_label(key) || domain != "aws.amazon.com";
  if (domain == "nvidia.com") return key.ends_with("/gke-accelerator") || holds(key, "10de");
  if (domain == "amd.com") {
    return key == "feature.node.kubernetes.io/amd-gpu" ||
           (key.starts_with("feature.node.kubernetes.io/pci-") && holds(key, "1002"));
  }
  return domain == "gpu.intel.com" && key.starts_with("intel.feature.node.kubernetes.io/gpu");
}

[[nodiscard]] bool is_machine_of(const PoolLabel& label, std::string_view domain) {
  if (!label.key.ends_with("kubernetes.io/instance-type") || label.values.empty()) return false;
  const Machine* const machine = find_machine(label.values.front());
  return machine != nullptr &&
         std::ranges::any_of(machine->accelerators, [&](const MachineAccelerator& accelerator) {
           return is_of(accelerator.resource, domain);
         });
}

}  // namespace

std::string_view to_string(Role role) {
  switch (role) {
    case Role::device_plugin:
      return "device plugin";
    case Role::dra_driver:
      return "DRA driver";
    case Role::driver:
      return "driver installer";
    case Role::container_toolkit:
      return "container toolkit";
    case Role::mig_manager:
      return "MIG manager";
    case Role::vgpu_manager:
      return "vGPU device manager";
    case Role::feature_discovery:
      return "feature discovery";
    case Role::node_feature_discovery:
      return "node feature discovery";
    case Role::monitoring:
      return "GPU monitoring";
    case Role::network:
      return "network devices";
    case Role::other:
      return "GPU node service";
  }
  return {};
}

std::optional<GpuDaemon> find_gpu_daemon(const Workload& workload) {
  if (!workload.kind.equals("DaemonSet")) return std::nullopt;
  const std::string text = words_of(workload);
  if (holds_any(text, network_words)) return GpuDaemon{Role::network, {}, network_devices(text)};
  if (holds_any(text, other_devices)) return std::nullopt;
  const std::string_view vendor = vendor_of(text);
  const std::optional<Role> role = role_of(text);
  if (role == Role::node_feature_discovery) return GpuDaemon{*role, {}};
  if (role && (!vendor.empty() || holds(text, "gpu"))) return GpuDaemon{*role, vendor};
  if (gpu_relation(workload.pod) == GpuRelation::selection) return GpuDaemon{Role::other, vendor};
  return std::nullopt;
}

bool uses_remote_engine(const Workload& workload) {
  const auto is_remote = [](Node list) {
    return std::ranges::any_of(list.items(), [](Node word) {
      return word.text() == "-r" || word.text().starts_with("--remote-hostengine-info");
    });
  };
  if (workload.origin == Workload::Origin::values) {
    return is_remote(workload.object.get("arguments"));
  }
  return std::ranges::any_of(workload.pod.containers, [&](const Container& container) {
    return is_remote(container.node.get("args")) || is_remote(container.node.get("command"));
  });
}

std::string_view accelerator_vendor(const NodePool& pool) {
  static constexpr auto domains = std::to_array<std::string_view>(
      {"nvidia.com", "amd.com", "aws.amazon.com", "habana.ai", "gpu.intel.com"});
  for (const std::string_view domain : domains) {
    const auto is_resource = [&](const ResourceEntry& entry) {
      return is_of(entry.name.value, domain) && is_gpu_resource(entry.name.value);
    };
    const auto is_taint = [&](const Taint& taint) {
      const std::string key = taint.key.value_or("");
      return is_of(key, domain) && is_gpu_resource(key);
    };
    const auto is_label = [&](const PoolLabel& label) {
      return is_label_of(label.key, domain) || is_machine_of(label, domain);
    };
    if (std::ranges::any_of(pool.allocatable, is_resource) ||
        std::ranges::any_of(pool.provider_resources, is_resource) ||
        std::ranges::any_of(pool.labels, is_label) || std::ranges::any_of(pool.taints, is_taint)) {
      return domain;
    }
  }
  return {};
}

bool has_network_devices(const NodePool& pool) {
  constexpr std::string_view mellanox = "feature.node.kubernetes.io/pci-15b3";
  return std::ranges::any_of(
             pool.labels,
             [&](const PoolLabel& label) { return label.key.starts_with(mellanox); }) ||
         std::ranges::any_of(pool.allocatable, [](const ResourceEntry& entry) {
           return is_of(entry.name.value, "rdma") || entry.name.value == "vpc.amazonaws.com/efa";
         });
}

}  // namespace gpulint
