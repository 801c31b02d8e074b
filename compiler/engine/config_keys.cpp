#include "compiler/engine/config_keys.h"

#include <algorithm>
#include <array>

namespace gpulint {
namespace {

constexpr std::string_view providers = "gke|eks|aks|generic";
constexpr std::string_view severities = "error|warning|info";

constexpr auto keys = std::to_array<ConfigKey>({
    {"Config", "flyte", "Flyte", "The Flyte release whose values are among the inputs."},
    {"Config", "provider", providers,
     "The cloud provider, which decides what labels, taints and admission plugins nodes have."},
    {"Config", "nodes", "[]string", "Globs of the files that hold the nodes of this cluster."},
    {"Config", "workloads", "[]string", "Globs of further manifests that run on this cluster."},
    {"Config", "cluster", "Cluster", "What is known of the cluster besides its nodes."},
    {"Config", "nodePools", "[]NodePool", "Node pools that no file declares."},
    {"Config", "tasks", "[]Task", "Tasks that must run: compiled with the values and placed."},
    {"Config", "rules", "Rules", "Which rules run and how severe their findings are."},
    {"Config", "per-file-ignores", "map:[]rule",
     "Rules to ignore, by a glob of the files in which to ignore them."},
    {"Config", "exclude", "[]string", "Globs of files that a folder walk leaves out."},
    {"Config", "join", "auto|none",
     "Whether files of a folder walk are held against the nodes nearest to them in the tree."},
    {"Config", "scopes", "[]Scope",
     "Several clusters in one repository: each scope says what differs from the top level."},
    {"Config", "policies", "[]Policy", "Own rules."},

    {"Scope", "name", "string", "What the scope is called in reports."},
    {"Scope", "paths", "[]string", "Globs of the files that belong to it."},
    {"Scope", "flyte", "Flyte", "The Flyte release of this scope."},
    {"Scope", "provider", providers, "The cloud provider of this scope."},
    {"Scope", "nodes", "[]string", "Globs of the files that hold the nodes of its cluster."},
    {"Scope", "workloads", "[]string", "Globs of further manifests that run on its cluster."},
    {"Scope", "cluster", "Cluster", "What is known of its cluster besides the nodes."},
    {"Scope", "nodePools", "[]NodePool", "Node pools that no file declares."},
    {"Scope", "tasks", "[]Task", "Tasks that must run in it."},
    {"Scope", "rules", "Rules", "Which rules run and how severe their findings are."},
    {"Scope", "per-file-ignores", "map:[]rule", "Rules to ignore, by a glob of files."},
    {"Scope", "exclude", "[]string", "Globs of its files that are left out."},
    {"Scope", "policies", "[]Policy", "Own rules."},

    {"Flyte", "version", "1|2", "The version of Flyte."},
    {"Flyte", "chart", "flyte-core|flyte-binary", "The Helm chart that the values are for."},
    {"Flyte", "values", "[]string", "The values files of the release, in order; later layers win."},

    {"Cluster", "admissionPlugins", "[]string",
     "The admission plugins in force, e.g. ExtendedResourceToleration."},
    {"Cluster", "kubernetes", "string", "The version of Kubernetes, e.g. 1.31."},
    {"Cluster", "migStrategy", "none|single|mixed", "The MIG strategy of the device plugin."},
    {"Cluster", "runtimeClass", "string", "The runtimeClassName that GPU pods need."},

    {"NodePool", "name", "string", "What the pool is called in reports."},
    {"NodePool", "labels", "map:string", "Labels of its nodes."},
    {"NodePool", "taints", "[]Taint/string",
     "Taints of its nodes, as mappings or as KEY=VALUE:EFFECT."},
    {"NodePool", "allocatable", "map:quantity", "What one node offers, by resource name."},
    {"NodePool", "machineType", "string", "The cloud's machine type, which tells the GPUs."},
    {"NodePool", "unschedulable", "bool", "Whether its nodes are cordoned."},
    {"Taint", "key", "string", "The taint's key."},
    {"Taint", "value", "string", "The taint's value."},
    {"Taint", "effect", "NoSchedule|PreferNoSchedule|NoExecute", "The taint's effect."},

    {"Task", "name", "string", "What the task is called in reports."},
    {"Task", "gpu", "quantity", "Requested GPUs."},
    {"Task", "cpu", "quantity", "Requested CPUs."},
    {"Task", "memory", "quantity", "Requested memory."},
    {"Task", "ephemeral-storage", "quantity", "Requested ephemeral storage."},
    {"Task", "requests", "amounts", "Requested gpu, cpu, memory, ephemeral-storage."},
    {"Task", "limits", "amounts", "Limits of the same."},
    {"Task", "accelerator", "string/Accelerator",
     "A flytekit constant, e.g. A100.partition_2g_10gb, a device, or a mapping."},
    {"Task", "device", "string", "The accelerator's device, as node labels name it."},
    {"Task", "partition", "string", "The accelerator's partition, e.g. 2g.10gb."},
    {"Task", "partitionSize", "string", "The same."},
    {"Task", "unpartitioned", "bool", "Whether the whole device is asked for."},
    {"Task", "deviceClass", "string", "The device class (Flyte 2), e.g. NVIDIA_GPU."},
    {"Task", "interruptible", "bool", "Whether the task may run on interruptible nodes."},
    {"Task", "plugin", "container|ray|spark|dask|kubeflow", "The plugin that builds the pod."},
    {"Task", "target", "container|k8s_pod", "Whether the task brings a pod spec of its own."},
    {"Task", "podSpec", "any", "The pod spec that the task brings."},
    {"Task", "podTemplateName", "string", "The PodTemplate object that its pod is built upon."},
    {"Task", "overrides", "any", "Overrides of resources or accelerator on the workflow's node."},
    {"Accelerator", "device", "string", "The device, as node labels name it."},
    {"Accelerator", "partitionSize", "string", "The partition, e.g. 2g.10gb."},
    {"Accelerator", "unpartitioned", "bool", "Whether the whole device is asked for."},
    {"Accelerator", "deviceClass", "string", "The device class (Flyte 2), e.g. NVIDIA_GPU."},

    {"Rules", "select", "[]rule", "Only these rules or categories."},
    {"Rules", "ignore", "[]rule", "Not these rules or categories."},
    {"Rules", "all-objects", "bool",
     "Whether deprecated labels, annotations and API versions of pods without GPUs are told, too."},
    {"Rules", "severity", "rules:error|warning|info", "Severities by rule."},

    {"Policy", "id", "string", "The rule's id.", true},
    {"Policy", "message", "string", "What a finding says."},
    {"Policy", "severity", severities, "How severe its findings are."},
    {"Policy", "match", "Match", "Which objects it is about; left out: all."},
    {"Policy", "require", "Requirement", "What must hold."},
    {"Policy", "forbid", "Requirement", "What must not hold."},
    {"Match", "kind", "string", "Pattern of the object's kind."},
    {"Match", "name", "string", "Pattern of the object's name."},
    {"Match", "labels", "map:string", "Patterns of labels, by their keys."},
    {"Match", "requestsGpu", "bool", "Whether its pods request GPUs."},
    {"Requirement", "path", "string", "Dotted path of a key.", true},
    {"Requirement", "pattern", "string", "RE2 pattern that the whole value matches."},
    {"Requirement", "values", "[]string", "The values that are allowed."},
});

}  // namespace

std::span<const ConfigKey> config_keys() { return keys; }

std::vector<std::string_view> config_key_names(std::string_view section) {
  std::vector<std::string_view> names;
  for (const ConfigKey& key : keys) {
    if (key.section == section) names.push_back(key.name);
  }
  return names;
}

const ConfigKey* find_config_key(std::string_view section, std::string_view name) {
  const auto found = std::ranges::find_if(
      keys, [&](const ConfigKey& key) { return key.section == section && key.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

}  // namespace gpulint
