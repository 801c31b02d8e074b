#include "compiler/model/kinds/workflow_defaults.h"

#include <algorithm>

#include "compiler/ir/node.h"
#include "compiler/model/open_pod.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_of_argo_workflows(const Workload& workload) {
  return workload.api_version.value_or("").starts_with("argoproj.io/") &&
         workload.kind.value_or("").find("Workflow") != std::string::npos;
}

/// `spec` of the defaults that a document holds; nothing where it has none.
[[nodiscard]] Node find_workflow_defaults(const Document& document) {
  constexpr std::string_view name = "workflowDefaults";
  if (!document.errors.empty()) return {};
  if (document.host != nullptr && Node(*document.host, document.host_node).key().text() == name) {
    return root(document).get("spec");
  }
  const Node values = root(document);
  return values.get("apiVersion") ? Node{} : values.at("controller", name, "spec");
}

void fill_in(PodSpec& pod, const PodSpec& defaults) {
  const bool has_tolerations = pod.tolerations_node || pod.tolerations_opaque;
  const bool has_selector = pod.node_selector_node || pod.node_selector_opaque;
  PodSpec missing = defaults;
  if (has_tolerations) missing.tolerations.clear();
  if (has_selector) missing.node_selector.clear();
  add_scheduling(pod, missing);
}

}  // namespace

void add_workflow_defaults(const std::vector<const Document*>& documents,
                           std::vector<Workload>& workloads) {
  if (std::ranges::none_of(workloads, is_of_argo_workflows)) return;
  for (const Document* document : documents) {
    const Node spec = find_workflow_defaults(*document);
    if (!spec.is_mapping()) continue;
    const PodSpec defaults = read_pod_spec(spec);
    for (Workload& workload : workloads) {
      if (is_of_argo_workflows(workload)) fill_in(workload.pod, defaults);
    }
  }
}

}  // namespace gpulint
