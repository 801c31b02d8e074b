#include "frontend/protobuf/flyteidl.h"

namespace gpulint::flyteidl {
namespace {

using enum Field::Kind;

[[nodiscard]] constexpr Field one(std::uint32_t number, std::string_view name, const Message& of) {
  return {number, name, message, false, &of, {}};
}
[[nodiscard]] constexpr Field list(std::uint32_t number, std::string_view name, const Message& of) {
  return {number, name, message, true, &of, {}};
}
[[nodiscard]] constexpr Field value(std::uint32_t number, std::string_view name,
                                    Field::Kind kind = text) {
  return {number, name, kind, false, nullptr, {}};
}
[[nodiscard]] constexpr Field choice(std::uint32_t number, std::string_view name,
                                     std::span<const std::string_view> words) {
  return {number, name, word, false, nullptr, words};
}

// core/identifier.proto
constexpr std::string_view resource_types[] = {"UNSPECIFIED", "TASK", "WORKFLOW", "LAUNCH_PLAN",
                                               "DATASET"};
constexpr Field identifier_fields[] = {choice(1, "resourceType", resource_types), value(4, "name")};
constexpr Message identifier{identifier_fields};

// core/tasks.proto
constexpr std::string_view resource_names[] = {"UNKNOWN", "CPU",     "GPU",
                                               "MEMORY",  "STORAGE", "EPHEMERAL_STORAGE"};
constexpr Field entry_fields[] = {choice(1, "name", resource_names), value(2, "value")};
constexpr Message entry{entry_fields};
constexpr Field resources_fields[] = {list(1, "requests", entry), list(2, "limits", entry)};
constexpr Message resources{resources_fields};

// Of flyteidl2; what the same fields are in both.
constexpr std::string_view device_classes[] = {"NVIDIA_GPU", "GOOGLE_TPU", "AMAZON_NEURON",
                                               "AMD_GPU", "HABANA_GAUDI"};
constexpr Field accelerator_fields[] = {value(1, "device"), value(2, "unpartitioned", boolean),
                                        value(3, "partitionSize"),
                                        choice(4, "deviceClass", device_classes)};
constexpr Message accelerator{accelerator_fields};
constexpr Field shared_memory_fields[] = {value(1, "mountPath"), value(2, "mountName"),
                                          value(3, "sizeLimit")};
constexpr Message shared_memory{shared_memory_fields};
constexpr Field extended_fields[] = {one(1, "gpuAccelerator", accelerator),
                                     one(2, "sharedMemory", shared_memory)};
constexpr Message extended_resources{extended_fields};

constexpr Field container_fields[] = {one(4, "resources", resources)};
constexpr Message container{container_fields};
constexpr Field pod_fields[] = {value(2, "podSpec", structure), value(4, "primaryContainerName")};
constexpr Message k8s_pod{pod_fields};

constexpr Field runtime_fields[] = {value(2, "version"), value(3, "flavor")};
constexpr Message runtime{runtime_fields};
constexpr Field metadata_fields[] = {one(2, "runtime", runtime), value(8, "interruptible", boolean),
                                     value(12, "podTemplateName")};
constexpr Message task_metadata{metadata_fields};

constexpr Field template_fields[] = {
    one(1, "id", identifier),          value(2, "type"),
    one(3, "metadata", task_metadata), value(5, "custom", structure),
    one(6, "container", container),    one(9, "extendedResources", extended_resources),
    value(16, "config", text_map),     one(17, "k8sPod", k8s_pod),
};
constexpr Message task_template{template_fields};

// core/workflow.proto
constexpr Field overrides_fields[] = {one(1, "resources", resources),
                                      one(2, "extendedResources", extended_resources)};
constexpr Message task_overrides{overrides_fields};
constexpr Field task_node_fields[] = {one(1, "referenceId", identifier),
                                      one(2, "overrides", task_overrides)};
constexpr Message task_node{task_node_fields};

/// Nodes hold nodes.
extern const Message node;
constexpr Field if_block_fields[] = {one(2, "thenNode", node)};
constexpr Message if_block{if_block_fields};
constexpr Field if_else_fields[] = {one(1, "case", if_block), list(2, "other", if_block),
                                    one(3, "elseNode", node)};
constexpr Message if_else{if_else_fields};
constexpr Field branch_fields[] = {one(1, "ifElse", if_else)};
constexpr Message branch_node{branch_fields};
constexpr Field array_fields[] = {one(1, "node", node)};
constexpr Message array_node{array_fields};
constexpr Field node_fields[] = {value(1, "id"), one(6, "taskNode", task_node),
                                 one(8, "branchNode", branch_node),
                                 one(10, "arrayNode", array_node)};
constexpr Message node{node_fields};

constexpr Field workflow_fields[] = {one(1, "id", identifier), list(4, "nodes", node)};
constexpr Message workflow_template{workflow_fields};

// admin/task.proto, admin/workflow.proto
constexpr Field task_spec_fields[] = {one(1, "template", task_template)};
constexpr Field workflow_spec_fields[] = {one(1, "template", workflow_template),
                                          list(2, "subWorkflows", workflow_template)};

}  // namespace

const Message task_spec{task_spec_fields};
const Message workflow_spec{workflow_spec_fields};

}  // namespace gpulint::flyteidl
