#pragma once

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// Whether a mapping of values is an entry of `servingEngineSpec.modelSpec`, of which the chart of
/// vLLM's production stack makes a Deployment each (vllm-project/production-stack a6c01db05f65,
/// helm/templates/deployment-vllm-multi.yaml and _helpers.tpl).
[[nodiscard]] bool is_served_model(Node mapping);

/// Its pod: `requestGPU` of `requestGPUType`, which is request and limit, the entry's tolerations
/// and those of all models, `runtimeClassName`; `nodeSelectorTerms` is for the caller to add.
[[nodiscard]] PodSpec read_served_model(Node model);

/// Whether a mapping holds values of Ollama's chart that ask for GPUs: `ollama.gpu` beside what the
/// chart says of its pod (otwld/ollama-helm eadf03e, templates/deployment.yaml).
[[nodiscard]] bool is_ollama(Node values);

/// Its pod: `number` of `nvidiaResource` or of `amd.com/gpu`, and for NVIDIA's the toleration that
/// the chart adds. What MIG devices and claims of its own make is open.
[[nodiscard]] PodSpec read_ollama(Node values);

}  // namespace gpulint
