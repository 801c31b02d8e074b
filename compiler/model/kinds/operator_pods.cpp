#include "compiler/model/kinds/operator_pods.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/field_path.h"
#include "compiler/ir/read.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/read_pod.h"
#include "compiler/model/unknown_pod.h"

namespace gpulint {
namespace {

/// Fields that a template inherits from the nodes around it if it has none itself; empty counts as
/// none.
void inherit(PodSpec& pod, const PodSpec& around) {
  if (pod.tolerations.empty() && !pod.tolerations_opaque) {
    pod.tolerations_node = around.tolerations_node;
    pod.tolerations = around.tolerations;
    pod.tolerations_opaque = around.tolerations_opaque;
  }
  if (pod.node_selector.empty() && !pod.node_selector_opaque) {
    pod.node_selector_node = around.node_selector_node;
    pod.node_selector = around.node_selector;
    pod.node_selector_opaque = around.node_selector_opaque;
  }
  if (!pod.node_affinity.node && !pod.affinity_opaque) {
    pod.node_affinity = around.node_affinity;
    pod.affinity_opaque = around.affinity_opaque;
  }
}

/// Reads one workflow's templates (argo-workflows 4.0, workflow/controller/workflowpod.go): each
/// template with `container`, `script` or `containerSet`, also `inline` ones in steps and tasks. A
/// template's scheduling fields come from itself, else `templateDefaults`, else the steps or tasks
/// that run it, else the workflow.
class ArgoReader {
 public:
  explicit ArgoReader(Node workflow_spec) : spec_(workflow_spec) {
    if (const Node defaults = spec_.get("templateDefaults")) defaults_ = read_pod_spec(defaults);
    workflow_ = read_pod_spec(spec_);
    // it is not followed which steps or tasks of a workflow run which template
    for (const Node item : spec_.get("templates").items()) {
      if (!item.get("steps") && !item.get("dag")) continue;
      boundaries_.push_back(read_pod_spec(item));
    }
  }

  [[nodiscard]] std::vector<OperatorPod> read() {
    for (const Node item : spec_.get("templates").items()) {
      add(item, read_string(item, "name").value_or(""));
      for (const Node task : item.at("dag", "tasks").items()) add_inline(task);
      for (const Node steps : item.get("steps").items()) {
        for (const Node step : steps.items()) add_inline(step);
      }
    }
    return std::move(pods_);
  }

 private:
  void add_inline(Node task) { add(task.get("inline"), read_string(task, "name").value_or("")); }

  void add(Node item, std::string role) {
    if (!item.is_mapping()) return;
    OperatorPod found{std::move(role), read_pod_spec(item)};
    add_containers(item, found.pod);
    if (found.pod.containers.empty()) return;
    add_scheduling(found.pod, defaults_);
    leave_boundaries_open(found.pod);
    inherit(found.pod, workflow_);
    const bool is_patched = item.get("podSpecPatch") || spec_.get("podSpecPatch") ||
                            spec_.at("templateDefaults", "podSpecPatch");
    if (is_patched) mark_missing_unknown(found.pod);
    pods_.push_back(std::move(found));
  }

  static void add_containers(Node item, PodSpec& pod) {
    for (const std::string_view key : {"container", "script"}) {
      const Node container = item.get(key);
      if (!container.is_mapping()) continue;
      pod.containers.push_back(read_container(container, ContainerKind::main));
    }
    for (const Node containers : {item.at("containerSet", "containers"), item.get("sidecars")}) {
      for (const Node container : containers.items()) {
        if (!container.is_mapping()) continue;
        pod.containers.push_back(read_container(container, ContainerKind::main));
      }
    }
  }

  /// What steps or tasks with such fields may pass on.
  void leave_boundaries_open(PodSpec& pod) const {
    for (const PodSpec& boundary : boundaries_) {
      if (boundary.tolerations_node && !pod.tolerations_node) pod.tolerations_opaque = true;
      if (boundary.node_selector_node && !pod.node_selector_node) pod.node_selector_opaque = true;
      if (boundary.node_affinity.node && !pod.node_affinity.node) pod.affinity_opaque = true;
    }
  }

  Node spec_;
  PodSpec defaults_;
  PodSpec workflow_;
  std::vector<PodSpec> boundaries_;
  std::vector<OperatorPod> pods_;
};

/// The hook `argo`: the spec of a Workflow.
void read_argo(Node spec, const std::string& /*role*/, std::vector<OperatorPod>& pods) {
  std::ranges::move(ArgoReader(spec).read(), std::back_inserter(pods));
}

/// The device that the operator's webhook adds to the limits; it ignores amounts below one.
void add_gpu(Node component, Container& container) {
  const Node gpu = component.get("gpu");
  const Field<std::string> name = read_string(gpu, "name");
  if (!name.is_known()) return;
  container.resources.node = gpu;
  container.resources.limits.push_back(
      {{name.value(), name.node()}, read_quantity(gpu.get("quantity"))});
}

/// Spark itself requests `<vendor>/gpu` if both are configured.
void add_configured_gpu(Node conf, std::string_view role, Container& container) {
  const std::string prefix = fmt::format("spark.{}.resource.gpu.", role);
  const Field<std::string> vendor = read_string(conf, prefix + "vendor");
  const Node amount = conf.get(prefix + "amount");
  if (!vendor.is_known() || !amount || !container.resources.limits.empty()) return;
  container.resources.node = conf;
  container.resources.limits.push_back(
      {{vendor.value() + "/gpu", vendor.node()}, read_quantity(amount)});
}

/// Labels that Spark requires of nodes for all its pods, or for those of this role.
void add_configured_selector(Node conf, std::string_view role, PodSpec& pod) {
  const std::string of_role = fmt::format("spark.kubernetes.{}.node.selector.", role);
  for (const std::string& prefix : {of_role, std::string("spark.kubernetes.node.selector.")}) {
    for (const Node::Entry& entry : conf.fields()) {
      const std::string_view key = entry.key.text();
      if (!key.starts_with(prefix)) continue;
      if (!pod.node_selector_node) pod.node_selector_node = conf;
      pod.node_selector.push_back({{std::string(key.substr(prefix.size())), entry.key},
                                   read_string(conf, std::string(key))});
    }
  }
}

[[nodiscard]] bool has_template_file(Node conf, std::string_view role) {
  return static_cast<bool>(conf.get(fmt::format("spark.kubernetes.{}.podTemplateFile", role)));
}

/// The hook `spark`: driver and executor of a SparkApplication or of a ScheduledSparkApplication's
/// template (kubeflow/spark-operator 38082f3318e9, internal/webhook/sparkpod_defaulter.go): their
/// fields, `gpu`, the `nodeSelector` of both, and of `sparkConf` (Spark 4.0, "Running on
/// Kubernetes") `spark.{driver,executor}.resource.gpu.*` and
/// `spark.kubernetes[.driver|.executor].node.selector.*`. A pod template file may add to them.
void read_spark(Node spec, const std::string& /*role*/, std::vector<OperatorPod>& pods) {
  const Node conf = spec.get("sparkConf");
  PodSpec shared;
  shared.node_selector_node = spec.get("nodeSelector");
  shared.node_selector = read_string_map(shared.node_selector_node);
  for (const std::string_view role : {"driver", "executor"}) {
    const Node component = spec.get(role);
    if (!component.is_mapping() || component.get("template")) continue;
    OperatorPod found{std::string(role), read_pod_spec(component)};
    Container container = read_container(component, ContainerKind::main);
    add_gpu(component, container);
    add_configured_gpu(conf, role, container);
    found.pod.containers.push_back(std::move(container));
    add_configured_selector(conf, role, found.pod);
    add_scheduling(found.pod, shared);
    if (has_template_file(conf, role)) mark_missing_unknown(found.pod);
    pods.push_back(std::move(found));
  }
}

/// The labels that the job of a NIMCache without `nodeSelector` selects
/// (api/apps/v1alpha1/nimcache_types.go, GetNodeSelectors).
void select_gpu_nodes(Node spec, PodSpec& pod) {
  if (spec.get("nodeSelector") || !has_known_keys(spec)) return;
  const Node where = spec.key();
  pod.node_selector.push_back({{"feature.node.kubernetes.io/pci-10de.present", where},
                               Field<std::string>::known("true", where)});
}

/// The hook `nim_cache`: its amounts are directly under `resources`.
void read_nim_cache(Node spec, const std::string& role, std::vector<OperatorPod>& pods) {
  OperatorPod found{role, read_pod_spec(spec)};
  found.pod.pod_resources = {};
  found.pod.containers.clear();
  found.pod.containers.emplace_back().node = spec;
  select_gpu_nodes(spec, found.pod);
  pods.push_back(std::move(found));
}

/// Amounts in Dynamo's words: `gpu` has the kind in `gpuType`.
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

/// The hook `dynamo`: a service of a DynamoGraphDeployment, or the spec of a
/// DynamoComponentDeployment (ai-dynamo/dynamo, deploy/cloud/operator/api: `resources.limits.gpu`,
/// `gpuType`, `custom`, `extraPodSpec`).
void read_dynamo(Node service, const std::string& role, std::vector<OperatorPod>& pods) {
  const Node extra = service.get("extraPodSpec");
  const Node main = extra.get("mainContainer");
  if (!service.is_mapping() || extra.get("containers").size() > 0) return;
  OperatorPod found{role, read_pod_spec(extra)};
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

/// Whether an override is for the job that trains: one of `targetJobs` has its name, or there are
/// none.
[[nodiscard]] bool is_for_trainer(Node override_entry) {
  const std::vector<Node> jobs = override_entry.get("targetJobs").items();
  return jobs.empty() || std::ranges::any_of(jobs, [](Node job) {
           return job.get("name").text() == "node" || job.get("name").is_opaque();
         });
}

/// The job's own settings for its trainer's pod, in addition to the runtime: `podTemplateOverrides`
/// (earlier `podSpecOverrides`), and `runtimePatches` in later versions.
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

/// The hook `train_job`: the trainer of a TrainJob (kubeflow/trainer 8c0f5059bd51,
/// pkg/apis/trainer/v1alpha1); everything else comes from its runtime (completed_pods.h).
void read_train_job(Node spec, const std::string& /*role*/, std::vector<OperatorPod>& pods) {
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

/// The hook `kfserving`: KFServing's first version, `spec.default.predictor.custom.container`, or a
/// framework with `resources` (kserve pkg/apis/serving/v1alpha2 DeploymentSpec, v0.4: neither
/// tolerations nor selectors; the annotation `serving.kubeflow.org/gke-accelerator` becomes a
/// selector).
void read_kfserving(Node spec, const std::string& /*role*/, std::vector<OperatorPod>& pods) {
  const bool selects = static_cast<bool>(
      spec.parent().at("metadata", "annotations", "serving.kubeflow.org/gke-accelerator"));
  for (const std::string_view endpoint : {"default", "canary"}) {
    for (const std::string_view role : {"predictor", "transformer", "explainer"}) {
      const Node component = spec.at(endpoint, role);
      for (const Node::Entry& entry : component.fields()) {
        const Node custom = entry.value.get("container");
        const Node container = custom ? custom : entry.value;
        if (!container.get("resources").is_mapping()) continue;
        OperatorPod found{std::string(role), read_pod_spec(component)};
        found.pod.containers.push_back(read_container(container, ContainerKind::main));
        found.pod.node = Node{};  // nothing can be added to it
        found.pod.node_selector_opaque = selects;
        pods.push_back(std::move(found));
      }
    }
  }
}

struct PodHook {
  std::string_view name;
  void (*read)(Node at, const std::string& role, std::vector<OperatorPod>& pods);
};
constexpr auto pod_hooks = std::to_array<PodHook>({{"argo", read_argo},
                                                   {"dynamo", read_dynamo},
                                                   {"kfserving", read_kfserving},
                                                   {"nim_cache", read_nim_cache},
                                                   {"spark", read_spark},
                                                   {"train_job", read_train_job}});

/// The containers at the paths of a row; the mapping of the pod's fields may be one itself.
void add_containers(const PodFacts& facts, Node at, PodSpec& pod) {
  for (const std::string_view path : facts.containers) {
    for_each_at(at, path, [&](Node node) {
      if (!node.is_mapping()) return;
      Container container = read_container(node, ContainerKind::main);
      const Node resources = first_at(node, facts.resources);
      if (!facts.resources.empty() && resources) container.resources = read_resources(resources);
      if (!facts.claims.empty() && first_at(node, facts.claims)) container.resources.opaque = true;
      if (path.empty()) {  // `resources` are the container's
        pod.pod_resources = {};
        pod.containers.clear();
      }
      pod.containers.push_back(std::move(container));
    });
  }
}

[[nodiscard]] std::string role_of(const PodFacts& facts, Node at) {
  if (facts.role == PodFacts::Role::key) return std::string(at.key().text());
  if (facts.role == PodFacts::Role::item) {
    for (Node item = at; item; item = item.parent()) {
      if (item.parent().is_sequence()) return read_string(item, "name").value_or("");
    }
  }
  return {};
}

}  // namespace

std::vector<OperatorPod> read_operator_pods(const KubernetesObject& object,
                                            const KindFacts& facts) {
  std::vector<OperatorPod> pods;
  for (const PodFacts& row : facts.pods) {
    for_each_at(object.node, row.path, [&](Node at) {
      const auto* const hook = std::ranges::find(pod_hooks, row.hook, &PodHook::name);
      if (!at.is_mapping()) return;
      if (hook != pod_hooks.end()) return hook->read(at, role_of(row, at), pods);
      if (at.get("containers").size() > 0) return;  // found by structure
      OperatorPod found{role_of(row, at), read_pod_spec(at)};
      add_containers(row, at, found.pod);
      if (found.pod.containers.empty()) return;
      if (row.is_completed_later) mark_missing_unknown(found.pod);
      pods.push_back(std::move(found));
    });
  }
  return pods;
}

}  // namespace gpulint
