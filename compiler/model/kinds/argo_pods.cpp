#include "compiler/model/kinds/argo_pods.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/open_pod.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

/// Fields that a template has from around it where it has none of its own; what is empty is none.
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

/// The reader of one workflow's templates.
class ArgoReader {
 public:
  explicit ArgoReader(Node workflow_spec) : spec_(workflow_spec) {
    if (const Node defaults = spec_.get("templateDefaults")) defaults_ = read_pod_spec(defaults);
    workflow_ = read_pod_spec(spec_);
    // Which steps or tasks run which template, and of which workflow, is not followed.
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
    if (is_patched) leave_unsaid_open(found.pod);
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

  /// What steps or tasks with such fields of their own may hand on.
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

}  // namespace

std::vector<OperatorPod> read_argo_pods(const KubernetesObject& object) {
  const Node spec = object.node.get("spec");
  return ArgoReader(object.kind.equals("CronWorkflow") ? spec.get("workflowSpec") : spec).read();
}

}  // namespace gpulint
