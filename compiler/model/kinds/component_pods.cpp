#include "compiler/model/kinds/component_pods.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/open_pod.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

/// A pod whose `resources` are those of its container.
[[nodiscard]] OperatorPod read_component(std::string role, Node component) {
  OperatorPod found{std::move(role), read_pod_spec(component)};
  found.pod.pod_resources = {};
  found.pod.containers.clear();  // of a form of its own
  Container container;
  container.node = component;
  container.resources = read_resources(component.get("resources"));
  found.pod.containers.push_back(std::move(container));
  return found;
}

/// Devices that are claimed come without a limit.
[[nodiscard]] OperatorPod read_nim(std::string role, Node spec) {
  OperatorPod found = read_component(std::move(role), spec);
  if (spec.get("draResources")) found.pod.containers.front().resources.opaque = true;
  return found;
}

/// What the job of a NIMCache without `nodeSelector` selects (api/apps/v1alpha1/nimcache_types.go,
/// GetNodeSelectors).
void select_gpu_nodes(Node spec, PodSpec& pod) {
  if (spec.get("nodeSelector") || !has_known_keys(spec)) return;
  const Node where = spec.key();
  pod.node_selector.push_back({{"feature.node.kubernetes.io/pci-10de.present", where},
                               Field<std::string>::known("true", where)});
}

void read_nim_object(std::string_view kind, Node spec, std::vector<OperatorPod>& pods) {
  if (kind == "NIMService") {
    pods.push_back(read_nim({}, spec));
  } else if (kind == "NIMCache") {  // its amounts stand directly under `resources`
    pods.push_back(read_component({}, spec));
    pods.back().pod.containers.front().resources = {};
    select_gpu_nodes(spec, pods.back().pod);
  } else if (kind == "NIMPipeline") {
    for (const Node service : spec.get("services").items()) {
      const Node own = service.get("spec");
      if (own.is_mapping()) {
        pods.push_back(read_nim(read_string(service, "name").value_or(""), own));
      }
    }
  }
}

/// Amounts in Dynamo's words: `gpu` is of the kind that `gpuType` says.
void read_dynamo_amounts(Node amounts, std::vector<ResourceEntry>& entries) {
  const Node gpu = amounts.get("gpu");
  const Field<std::string> type = read_string(amounts, "gpuType");
  if (gpu && !type.is_opaque()) {
    entries.push_back({{type.value_or("nvidia.com/gpu"), type.is_known() ? type.node() : gpu.key()},
                       read_quantity(gpu)});
  }
  std::vector<ResourceEntry> custom = read_resource_list(amounts.get("custom"));
  std::ranges::move(custom, std::back_inserter(entries));
}

void read_dynamo(std::string role, Node service, std::vector<OperatorPod>& pods) {
  const Node extra = service.get("extraPodSpec");
  const Node main = extra.get("mainContainer");
  if (!service.is_mapping() || extra.get("containers").size() > 0) return;
  OperatorPod found{std::move(role), read_pod_spec(extra)};
  if (!extra) found.pod.node = {};
  Container container = read_container(main ? main : service, ContainerKind::main);
  const Node resources = service.get("resources");
  if (resources) {
    container.resources = {};
    container.resources.node = resources;
    container.resources.limits_node = resources.get("limits");
    container.resources.requests_node = resources.get("requests");
    read_dynamo_amounts(resources.get("limits"), container.resources.limits);
    read_dynamo_amounts(resources.get("requests"), container.resources.requests);
    container.resources.opaque = resources.get("claims") || resources.is_opaque();
  }
  found.pod.containers.push_back(std::move(container));
  pods.push_back(std::move(found));
}

void read_dynamo_object(std::string_view kind, Node spec, std::vector<OperatorPod>& pods) {
  if (kind == "DynamoComponentDeployment") read_dynamo({}, spec, pods);
  if (kind != "DynamoGraphDeployment") return;
  for (const Node::Entry& entry : spec.get("services").fields()) {
    read_dynamo(std::string(entry.key.text()), entry.value, pods);
  }
}

/// Whether an override is for the job that trains: of `targetJobs` one has its name, or none is.
[[nodiscard]] bool is_for_trainer(Node override_entry) {
  const std::vector<Node> jobs = override_entry.get("targetJobs").items();
  return jobs.empty() || std::ranges::any_of(jobs, [](Node job) {
           return job.get("name").text() == "node" || job.get("name").is_opaque();
         });
}

/// What the job says of its trainer's pod beside the runtime: `podTemplateOverrides`
/// (`podSpecOverrides` before), and `runtimePatches` since.
[[nodiscard]] std::vector<Node> find_overrides(Node spec) {
  std::vector<Node> found;
  for (const std::string_view key : {"podTemplateOverrides", "podSpecOverrides"}) {
    for (const Node entry : spec.get(key).items()) {
      if (!is_for_trainer(entry)) continue;
      const Node own = entry.get("spec");
      found.push_back(own ? own : entry);
    }
  }
  for (const Node patch : spec.get("runtimePatches").items()) {
    const Node jobs = patch.at("trainingRuntimeSpec", "template", "spec", "replicatedJobs");
    for (const Node job : jobs.items()) {
      if (job.get("name").text() != "node") continue;
      const Node own = job.at("template", "spec", "template", "spec");
      if (own) found.push_back(own);
    }
  }
  return found;
}

void read_train_job(Node spec, std::vector<OperatorPod>& pods) {
  const Node trainer = spec.get("trainer");
  const std::vector<Node> overrides = find_overrides(spec);
  if (!trainer && overrides.empty()) return;
  OperatorPod found{"trainer", PodSpec{}};
  for (const Node own : overrides) {
    PodSpec written = read_pod_spec(own);
    if (!found.pod.node) found.pod.node = own;
    add_scheduling(found.pod, written);
  }
  Container container = read_container(trainer, ContainerKind::main);
  container.name = Field<std::string>::known("node");
  container.resources = read_resources(trainer.get("resourcesPerNode"));
  found.pod.containers.push_back(std::move(container));
  pods.push_back(std::move(found));
}

}  // namespace

std::vector<OperatorPod> read_component_pods(const KubernetesObject& object) {
  std::vector<OperatorPod> pods;
  const std::string group = object.api_version.value_or("");
  const std::string kind = object.kind.value_or("");
  const Node spec = object.node.get("spec");
  if (!spec.is_mapping()) return pods;
  if (group.starts_with("apps.nvidia.com/")) {
    read_nim_object(kind, spec, pods);
  } else if (group.starts_with("nvidia.com/")) {
    read_dynamo_object(kind, spec, pods);
  } else if (group.starts_with("trainer.kubeflow.org/") && kind == "TrainJob") {
    read_train_job(spec, pods);
  }
  return pods;
}

}  // namespace gpulint
