#pragma once

#include <string>
#include <vector>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// The mappings with a chart's values in a document: all of it if it is not a Kubernetes object or
/// a JSON Schema (a `podSpecPatch` counts), else those of helm_values_source.h. Other code reads
/// Flyte's charts and documents with a role of their own (document_role.h).
[[nodiscard]] std::vector<Node> find_chart_values(const Document& document);

/// Whether the document is the text of a patch that Argo Workflows applies to pods.
[[nodiscard]] bool is_pod_spec_patch(const Document& document);

/// Whether a mapping has fields of a pod that charts copy unchanged from their values, and
/// operators from their resources: `tolerations`, `nodeSelector`, `affinity`, `resources` in the
/// forms of the API.
[[nodiscard]] bool says_of_pod(Node mapping);
/// The pod with these fields; `resources` are those of a container.
[[nodiscard]] PodSpec read_pod_part(Node mapping);

/// The parts of pods in such values, each as a workload with the origin `values`, named by its
/// place (`singleuser.profileList[0]`):
/// - `tolerations`, `nodeSelector`, `affinity`, `resources`, `runtimeClassName`, `extraResources`
///   next to each other, which charts usually copy into one pod;
/// - a `podSpecPatch` of Argo Workflows, as a whole;
/// - mappings with `containers`, as in charts of llm-d;
/// - the models of vLLM's production stack;
/// - `singleuser` of zero-to-jupyterhub, and each `kubespawner_override` of it (4.x,
///   jupyterhub/files/hub/jupyterhub_config.py; KubeSpawner's traits of these names).
/// What is not set is unknown: a chart has defaults, and layers may add to it. One exception: if
/// GPUs are requested and no layer names tolerations, there are none; find_chart_pods() of all
/// documents knows that.
[[nodiscard]] std::vector<Workload> find_chart_pods(const std::vector<const Document*>& documents);

/// Whether a mapping of values is an entry of `servingEngineSpec.modelSpec`. The chart of vLLM's
/// production stack creates a Deployment for each (vllm-project/production-stack a6c01db05f65,
/// helm/templates/deployment-vllm-multi.yaml and _helpers.tpl).
[[nodiscard]] bool is_served_model(Node mapping);

/// Whether a mapping has values of Ollama's chart that request GPUs: `ollama.gpu` next to fields of
/// its pod (otwld/ollama-helm eadf03e, templates/deployment.yaml).
[[nodiscard]] bool is_ollama(Node values);

}  // namespace gpulint
