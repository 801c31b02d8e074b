#pragma once

#include <string>
#include <vector>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// The mappings with a chart's values that a document holds: all of it where it is no Kubernetes
/// object and no JSON Schema (a `podSpecPatch` counts), else those of helm_values_source.h.
/// Flyte's charts are read elsewhere, and so is what has a role of its own (document_role.h).
[[nodiscard]] std::vector<Node> find_chart_values(const Document& document);

/// Whether the document is the text of a patch that Argo Workflows applies to pods.
[[nodiscard]] bool is_pod_spec_patch(const Document& document);

/// Whether a mapping says of a pod what charts take from their values as it stands, and operators
/// from their resources: `tolerations`, `nodeSelector`, `affinity`, `resources` in the forms of the
/// API.
[[nodiscard]] bool says_of_pod(Node mapping);
/// That pod, as far as the mapping says; `resources` are those of a container.
[[nodiscard]] PodSpec read_pod_part(Node mapping);

/// What such values say of pods, each as a workload of the origin `values`, named by its place
/// (`singleuser.profileList[0]`):
/// - `tolerations`, `nodeSelector`, `affinity`, `resources`, `runtimeClassName`, `extraResources`
///   side by side, which charts as a rule put into one pod as they stand;
/// - a `podSpecPatch` of Argo Workflows, whole;
/// - mappings with `containers`, as charts of llm-d have them;
/// - the models of vLLM's production stack;
/// - `singleuser` of zero-to-jupyterhub, and each `kubespawner_override` of it (4.x,
///   jupyterhub/files/hub/jupyterhub_config.py; KubeSpawner's traits of these names).
/// What is not said is open: a chart has defaults, and layers may add to it. Only where GPUs are
/// requested and no layer names tolerations, there are none: find_chart_pods() of all documents
/// knows that.
[[nodiscard]] std::vector<Workload> find_chart_pods(const std::vector<const Document*>& documents);

/// Whether a mapping of values is an entry of `servingEngineSpec.modelSpec`, of which the chart of
/// vLLM's production stack makes a Deployment each (vllm-project/production-stack a6c01db05f65,
/// helm/templates/deployment-vllm-multi.yaml and _helpers.tpl).
[[nodiscard]] bool is_served_model(Node mapping);

/// Whether a mapping holds values of Ollama's chart that ask for GPUs: `ollama.gpu` beside what the
/// chart says of its pod (otwld/ollama-helm eadf03e, templates/deployment.yaml).
[[nodiscard]] bool is_ollama(Node values);

}  // namespace gpulint
