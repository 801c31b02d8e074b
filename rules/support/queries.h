#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gpu_relation.h"

namespace gpulint::rules {

// Questions that several rules ask of a corpus. Nothing here judges.

/// The document inside a scalar, by the scalar's document and index.
using EmbeddedIndex = std::map<std::pair<const Document*, NodeIndex>, const Document*>;
[[nodiscard]] EmbeddedIndex index_embedded(const Corpus& corpus);

/// Whether the document is readable and its text, as written, holds `word`.
[[nodiscard]] bool holds_word(const Corpus& corpus, const Document& document,
                              std::string_view word);
/// Those that do.
[[nodiscard]] std::vector<const Document*> documents_with(const Corpus& corpus,
                                                          std::string_view word);

/// Whether text speaks of GPUs: `gpu`, `nvidia`, `accelerator`, `cuda`, `tpu`, `neuron`, any case.
[[nodiscard]] bool mentions_gpu(std::string_view text);

/// The first GPU resource that the container's limits (else requests) name, whatever its amount;
/// null where there is none.
[[nodiscard]] const ResourceEntry* find_gpu_request(const Container& container);
/// What people call a unit of the resource: `GPU`, `TPU`, `Neuron device`, `Gaudi accelerator`,
/// `NPU`; `accelerator` where that is open.
[[nodiscard]] std::string_view device_noun(std::string_view resource);
/// Whether the pod has to do with GPUs: it requests one, or its tolerations, node selector or node
/// affinity speak of them.
[[nodiscard]] bool concerns_gpus(const PodSpec& pod);

/// A pod that serves nodes rather than uses them: of a DaemonSet (device plugins, drivers,
/// exporters), for which host paths and all devices are its business.
[[nodiscard]] bool is_node_agent(const Workload& workload);

/// Whether a pod of the object asks for a GPU.
[[nodiscard]] bool makes_gpu_pods(const Corpus& corpus, Node object);

/// What Kubernetes reads a plain scalar as: `boolean`, `number`, `null` or `string`.
[[nodiscard]] std::string_view read_type(Node scalar);

/// The value of a mapping's key as written: of an alias the alias itself, whose key uses it. Merge
/// keys are followed. Nothing if the key is absent.
[[nodiscard]] Node written_value(Node mapping, std::string_view key);

/// Whether a finding there says something of the whole document that the node is a part of, and so
/// nothing of the node.
[[nodiscard]] bool is_of_whole_document(Span finding, Node node);

using gpulint::describe;

}  // namespace gpulint::rules
