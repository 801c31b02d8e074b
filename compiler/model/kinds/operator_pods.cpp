#include "compiler/model/kinds/operator_pods.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/kinds/argo_pods.h"
#include "compiler/model/kinds/component_pods.h"
#include "compiler/model/kinds/spark_pods.h"
#include "compiler/model/open_pod.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string name_of(Node item) { return read_string(item, "name").value_or(""); }

/// A Tekton step: a container whose resources may stand under `computeResources`.
[[nodiscard]] Container read_step(Node step) {
  Container container = read_container(step, ContainerKind::main);
  const Node resources = step.get("computeResources");
  if (resources) container.resources = read_resources(resources);
  return container;
}

void read_tekton(Node task_spec, std::string role, std::vector<OperatorPod>& pods) {
  OperatorPod found{std::move(role), read_pod_spec(task_spec)};
  for (const Node step : task_spec.get("steps").items()) {
    if (step.is_mapping()) found.pod.containers.push_back(read_step(step));
  }
  if (found.pod.containers.empty()) return;
  leave_unsaid_open(found.pod);
  pods.push_back(std::move(found));
}

void read_tekton_object(Node spec, std::vector<OperatorPod>& pods) {
  read_tekton(spec, {}, pods);
  read_tekton(spec.get("taskSpec"), {}, pods);
  for (const Node tasks : {spec.get("tasks"), spec.at("pipelineSpec", "tasks")}) {
    for (const Node task : tasks.items()) read_tekton(task.get("taskSpec"), name_of(task), pods);
  }
}

/// Keys of an InferenceService's component that hold a model server.
constexpr std::array<std::string_view, 13> model_keys{
    "model",  "huggingface", "lightgbm", "mlflow",     "onnx",   "paddle", "pmml",
    "python", "pytorch",     "sklearn",  "tensorflow", "triton", "xgboost"};

void read_inference_service(Node spec, std::vector<OperatorPod>& pods) {
  for (const std::string_view role : {"predictor", "transformer", "explainer"}) {
    const Node component = spec.get(role);
    if (component.get("containers").size() > 0) continue;  // found by structure
    for (const std::string_view key : model_keys) {
      const Node model = component.get(key);
      if (!model.is_mapping()) continue;
      OperatorPod found{std::string(role), read_pod_spec(component)};
      found.pod.containers.push_back(read_container(model, ContainerKind::main));
      leave_unsaid_open(found.pod);
      pods.push_back(std::move(found));
    }
  }
}

/// KFServing's first version: `spec.default.predictor.custom.container`, or a framework with
/// `resources` (kserve pkg/apis/serving/v1alpha2 DeploymentSpec, v0.4: neither tolerations nor
/// selectors; the annotation `serving.kubeflow.org/gke-accelerator` becomes a selector).
void read_first_inference_service(Node object, std::vector<OperatorPod>& pods) {
  const bool selects = static_cast<bool>(
      object.at("metadata", "annotations", "serving.kubeflow.org/gke-accelerator"));
  for (const std::string_view endpoint : {"default", "canary"}) {
    for (const std::string_view role : {"predictor", "transformer", "explainer"}) {
      const Node component = object.get("spec").at(endpoint, role);
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

}  // namespace

std::vector<OperatorPod> read_operator_pods(const KubernetesObject& object) {
  std::vector<OperatorPod> pods;
  const std::string group = object.api_version.value_or("");
  const std::string kind = object.kind.value_or("");
  const Node spec = object.node.get("spec");
  if (group.starts_with("argoproj.io/")) {
    pods = read_argo_pods(object);
  } else if (group.starts_with("tekton.dev/")) {
    read_tekton_object(spec, pods);
  } else if (group == "serving.kubeflow.org/v1alpha2" && kind == "InferenceService") {
    read_first_inference_service(object.node, pods);
  } else if ((group.starts_with("serving.kserve.io/") ||
              group.starts_with("serving.kubeflow.org/")) &&
             kind == "InferenceService") {
    read_inference_service(spec, pods);
  } else if (group.starts_with("sparkoperator.k8s.io/")) {
    pods = read_spark_pods(object);
  } else {
    pods = read_component_pods(object);
  }
  return pods;
}

}  // namespace gpulint
