#include "rules/unknown-chart-key/chart_keys.h"

#include <algorithm>
#include <array>
#include <string>

#include "compiler/base/text.h"

namespace gpulint::rules::unknown_chart_key {
namespace {

using Keys = std::span<const std::string_view>;

// NVIDIA/gpu-operator a22dbf671f2e: deployments/gpu-operator/values.yaml and the schema in
// config/crd/bases/nvidia.com_clusterpolicies.yaml, both together.
constexpr auto parts = std::to_array<std::string_view>({"ccManager",
                                                        "cdi",
                                                        "clusterPolicy",
                                                        "daemonsets",
                                                        "dcgm",
                                                        "dcgmExporter",
                                                        "devicePlugin",
                                                        "draDriver",
                                                        "driver",
                                                        "extraObjects",
                                                        "gdrcopy",
                                                        "gds",
                                                        "gfd",
                                                        "global",
                                                        "gpuCluster",
                                                        "hostPaths",
                                                        "kataManager",
                                                        "kataSandboxDevicePlugin",
                                                        "mig",
                                                        "migManager",
                                                        "nfd",
                                                        "node-feature-discovery",
                                                        "nodeStatusExporter",
                                                        "operator",
                                                        "platform",
                                                        "psa",
                                                        "psp",
                                                        "sandboxDevicePlugin",
                                                        "sandboxWorkloads",
                                                        "toolkit",
                                                        "validator",
                                                        "vfioManager",
                                                        "vgpuDeviceManager",
                                                        "vgpuManager"});

/// Of every part that is a program.
constexpr auto program = std::to_array<std::string_view>(
    {"args", "config", "defaultMode", "driverManager", "enabled", "env", "gpuClientsConfig",
     "hostNetwork", "hostPort", "image", "imagePullPolicy", "imagePullSecrets", "installDir",
     "kernelModuleConfig", "mps", "repository", "resources", "version"});
constexpr auto programs = std::to_array<std::string_view>(
    {"ccManager", "dcgm", "devicePlugin", "gdrcopy", "gds", "gfd", "kataManager",
     "kataSandboxDevicePlugin", "migManager", "nodeStatusExporter", "sandboxDevicePlugin",
     "toolkit", "vfioManager", "vgpuDeviceManager", "vgpuManager"});
constexpr auto daemonsets = std::to_array<std::string_view>(
    {"annotations", "labels", "podSecurityContext", "priorityClassName", "rollingUpdate",
     "tolerations", "updateStrategy"});
constexpr auto driver = std::to_array<std::string_view>({"args",
                                                         "certConfig",
                                                         "enabled",
                                                         "env",
                                                         "hostNetwork",
                                                         "image",
                                                         "imagePullPolicy",
                                                         "imagePullSecrets",
                                                         "kernelModuleConfig",
                                                         "kernelModuleType",
                                                         "licensingConfig",
                                                         "livenessProbe",
                                                         "manager",
                                                         "nvidiaDriverCRD",
                                                         "rdma",
                                                         "readinessProbe",
                                                         "repoConfig",
                                                         "repository",
                                                         "resources",
                                                         "secretEnv",
                                                         "startupProbe",
                                                         "upgradePolicy",
                                                         "useNvidiaDriverCRD",
                                                         "useOpenKernelModules",
                                                         "usePrecompiled",
                                                         "version",
                                                         "virtualTopology"});
constexpr auto mig = std::to_array<std::string_view>({"strategy"});
constexpr auto sandbox = std::to_array<std::string_view>({"defaultWorkload", "enabled", "mode"});
constexpr auto cdi = std::to_array<std::string_view>({"default", "enabled", "nriPluginEnabled"});

// jupyterhub/zero-to-jupyterhub-k8s 48ea50e34dad, jupyterhub/values.schema.yaml, which has no
// additional properties: Helm refuses others.
constexpr auto single_user = std::to_array<std::string_view>({"allowPrivilegeEscalation",
                                                              "cloudMetadata",
                                                              "cmd",
                                                              "cpu",
                                                              "defaultUrl",
                                                              "events",
                                                              "extraAnnotations",
                                                              "extraContainers",
                                                              "extraEnv",
                                                              "extraFiles",
                                                              "extraLabels",
                                                              "extraNodeAffinity",
                                                              "extraPodAffinity",
                                                              "extraPodAntiAffinity",
                                                              "extraPodConfig",
                                                              "extraResource",
                                                              "extraTolerations",
                                                              "fsGid",
                                                              "image",
                                                              "initContainers",
                                                              "lifecycleHooks",
                                                              "memory",
                                                              "networkPolicy",
                                                              "networkTools",
                                                              "nodeSelector",
                                                              "podNameTemplate",
                                                              "profileList",
                                                              "serviceAccountName",
                                                              "startTimeout",
                                                              "storage",
                                                              "uid"});
constexpr auto of_single_user =
    std::to_array<OtherName>({{"resources", "extraResource.limits"},
                              {"extraResources", "extraResource.limits"},
                              {"tolerations", "extraTolerations"},
                              {"affinity", "extraNodeAffinity"},
                              {"nodeAffinity", "extraNodeAffinity"},
                              {"node_selector", "nodeSelector"}});
// KubeSpawner 7: traits of the class, set by `kubespawner_override`.
constexpr auto of_override = std::to_array<OtherName>({{"resources", "extra_resource_limits"},
                                                       {"extraResource", "extra_resource_limits"},
                                                       {"extraResources", "extra_resource_limits"},
                                                       {"extraTolerations", "tolerations"},
                                                       {"extra_tolerations", "tolerations"},
                                                       {"nodeSelector", "node_selector"}});

}  // namespace

Keys gpu_operator_parts() { return parts; }

Keys gpu_operator_keys(std::string_view part) {
  if (part == "daemonsets") return daemonsets;
  if (part == "driver") return driver;
  if (part == "mig") return mig;
  if (part == "sandboxWorkloads") return sandbox;
  if (part == "cdi") return cdi;
  return std::ranges::find(programs, part) == programs.end() ? Keys{} : Keys{program};
}

std::optional<std::string_view> find_meant(std::string_view key, Keys keys) {
  const std::string folded = to_lower(key);
  const auto is_near = [&](std::string_view known) {
    return edit_distance(folded, to_lower(known), 1) <= 1;
  };
  const auto found = std::ranges::find_if(keys, is_near);
  return found == keys.end() || key.size() < 4 ? std::nullopt : std::optional(*found);
}

Keys single_user_keys() { return single_user; }

std::span<const OtherName> single_user_names() { return of_single_user; }

std::span<const OtherName> override_names() { return of_override; }

}  // namespace gpulint::rules::unknown_chart_key
