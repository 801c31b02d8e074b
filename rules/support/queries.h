#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/engine/corpus.h"
#include "compiler/ir/node.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gpu_relation.h"

namespace gpulint::rules {

// Queries about a corpus that several rules use.

/// The document inside a scalar, by the scalar's document and index.
using EmbeddedIndex = std::map<std::pair<const Document*, NodeIndex>, const Document*>;
[[nodiscard]] EmbeddedIndex index_embedded(const Corpus& corpus);

/// Whether the document is readable and its text, as written, contains `word`.
[[nodiscard]] bool holds_word(const Corpus& corpus, const Document& document,
                              std::string_view word);
/// Those that do.
[[nodiscard]] std::vector<const Document*> documents_with(const Corpus& corpus,
                                                          std::string_view word);

/// Whether text mentions GPUs: `gpu`, `nvidia`, `accelerator`, `cuda`, `tpu`, `neuron`, any case.
[[nodiscard]] bool mentions_gpu(std::string_view text);

/// The first GPU resource in the container's limits (else requests), whatever its amount; null if
/// there is none.
[[nodiscard]] const ResourceEntry* find_gpu_request(const Container& container);
/// The usual name of one unit of the resource: `GPU`, `TPU`, `Neuron device`, `Gaudi accelerator`,
/// `NPU`; `accelerator` if unknown.
[[nodiscard]] std::string_view device_noun(std::string_view resource);
/// Whether the pod concerns GPUs: it requests one, or its tolerations, node selector or node
/// affinity mention them.
[[nodiscard]] bool concerns_gpus(const PodSpec& pod);

/// Whether it is a DaemonSet (device plugins, drivers, exporters), whose pods may use host paths
/// and all devices.
[[nodiscard]] bool is_node_agent(const Workload& workload);

/// Whether a pod of the object requests a GPU.
[[nodiscard]] bool makes_gpu_pods(const Corpus& corpus, Node object);

/// The type that Kubernetes reads from a plain scalar: `boolean`, `number`, `null` or `string`.
[[nodiscard]] std::string_view read_type(Node scalar);

/// The value of a mapping's key as written: an alias is returned itself. Merge keys are followed.
/// Nothing if the key is absent.
[[nodiscard]] Node written_value(Node mapping, std::string_view key);

/// Whether a finding with this span is about the whole document of the node, not about the node.
[[nodiscard]] bool is_of_whole_document(Span finding, Node node);

using gpulint::describe;

}  // namespace gpulint::rules
