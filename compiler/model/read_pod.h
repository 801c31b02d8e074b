#pragma once

#include <string>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/taint.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// Readers of Kubernetes structures for any input: what is missing or has the wrong form reads as
/// absent, what the API server could not decode as mistyped. Nothing is checked here.

/// A PodSpec; `spec` may be null.
[[nodiscard]] PodSpec read_pod_spec(Node spec);

/// One container of any kind.
[[nodiscard]] Container read_container(Node container, ContainerKind kind);

/// A `resources` mapping (`limits`, `requests`, `claims`).
[[nodiscard]] ResourceRequirements read_resources(Node resources);

/// A map of resource names to quantities. null is 0, as in the API server; numbers are read like
/// strings.
[[nodiscard]] std::vector<ResourceEntry> read_resource_list(Node mapping);

/// A map of strings: labels, annotations, a node selector. null is "".
[[nodiscard]] std::vector<LabelEntry> read_string_map(Node mapping);

/// A list of tolerations or taints; items that are not mappings are skipped, null is an empty one.
[[nodiscard]] std::vector<Toleration> read_tolerations(Node sequence);
[[nodiscard]] std::vector<Taint> read_taints(Node sequence);

/// The terms of a `core/v1 NodeSelector`.
[[nodiscard]] std::vector<SelectorTerm> read_node_selector(Node node_selector);

/// `matchExpressions` or `matchFields`, or Karpenter's `requirements`.
[[nodiscard]] std::vector<SelectorRequirement> read_selector_requirements(Node sequence);

/// A scalar as the API server decodes an amount of a resource: rounded up to thousandths.
[[nodiscard]] Field<Quantity> read_quantity(Node scalar);

}  // namespace gpulint
