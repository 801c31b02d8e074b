#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/ir/node.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/quantity.h"

namespace gpulint {

// The parts of a Kubernetes pod that decide where it may run, each field with its place. Set from
// manifests (read_pod.h) and by the Flyte compiler, whose nodes are the config lines that Flyte
// takes the values from (none for Flyte's own defaults).

/// An entry of a string map: label, annotation, node selector.
struct LabelEntry {
  Value<std::string> key;
  Field<std::string> value;
};

/// `core/v1 Toleration`. `node` is the mapping (for a compiled pod, its line of config).
struct Toleration {
  Node node;
  Field<std::string> key;
  Field<std::string> op;  ///< `operator`; absent means Equal.
  Field<std::string> value;
  Field<std::string> effect;  ///< Absent or empty: every effect.
  Field<std::int64_t> toleration_seconds;
};

/// `core/v1 NodeSelectorRequirement`.
struct SelectorRequirement {
  Node node;
  Field<std::string> key;
  Field<std::string> op;
  std::vector<Field<std::string>> values;
};

/// `core/v1 NodeSelectorTerm`: all expressions and fields must hold. Empty: matches nothing.
struct SelectorTerm {
  Node node;
  std::vector<SelectorRequirement> expressions;
  std::vector<SelectorRequirement> fields;
  std::int64_t weight = 0;  ///< For a preferred term.
};

struct NodeAffinity {
  Node node;                  ///< The `nodeAffinity` mapping; null if absent.
  bool has_required = false;  ///< `requiredDuringScheduling…` is present (terms are ORed).
  std::vector<SelectorTerm> required;
  std::vector<SelectorTerm> preferred;
};

/// One entry of `limits` or `requests`. The amount is `mistyped` if it is not a quantity.
struct ResourceEntry {
  Value<std::string> name;
  Field<Quantity> amount;
};

/// The amount of this resource; null if there is none.
[[nodiscard]] const ResourceEntry* find_entry(const std::vector<ResourceEntry>& entries,
                                              std::string_view name);

struct ResourceRequirements {
  Node node;           ///< The `resources` mapping; null if absent.
  Node limits_node;    ///< Null if absent.
  Node requests_node;  ///< Null if absent.
  std::vector<ResourceEntry> limits;
  std::vector<ResourceEntry> requests;
  std::vector<Value<std::string>> claims;  ///< Names of `resources.claims` (DRA).
  /// A placeholder or template is in place of the map: anything may be requested.
  bool opaque = false;
};

struct EnvVar {
  Node node;
  Field<std::string> name;
  Field<std::string> value;
};

struct VolumeMount {
  Node node;
  Field<std::string> name;
  Field<std::string> mount_path;
};

enum class ContainerKind : std::uint8_t { init, sidecar, main, ephemeral };

struct Container {
  Node node;
  ContainerKind kind = ContainerKind::main;
  Field<std::string> name;
  Field<std::string> image;
  ResourceRequirements resources;
  std::vector<EnvVar> env;
  std::vector<VolumeMount> volume_mounts;
  Field<bool> privileged;
};

struct Volume {
  Node node;
  Field<std::string> name;
  Field<std::string> host_path;  ///< Absent if the volume has another type.
};

/// `core/v1 PodSpec`, with the fields that gpulint reads.
struct PodSpec {
  Node node;
  std::vector<Container> containers;  ///< Init containers and sidecars first, in their order.
  Node tolerations_node;              ///< Null if absent.
  std::vector<Toleration> tolerations;
  bool tolerations_opaque = false;
  Node node_selector_node;
  std::vector<LabelEntry> node_selector;
  bool node_selector_opaque = false;
  NodeAffinity node_affinity;
  bool affinity_opaque = false;
  Field<std::string> runtime_class_name;
  bool has_runtime_class = false;  ///< The pod includes the fields of its RuntimeClass.
  Field<std::string> scheduler_name;
  Field<std::string> node_name;
  std::vector<ResourceEntry> overhead;
  ResourceRequirements pod_resources;  ///< Pod-level `spec.resources`.
  std::vector<Volume> volumes;
  std::vector<Value<std::string>> resource_claims;  ///< Names of `spec.resourceClaims`.
};

/// One pod template and its owner.
struct Workload {
  enum class Origin : std::uint8_t {
    manifest,
    compiled,
    fragment,
    values,  ///< A pod's fields in the values of a chart, which may add to it.
    queued   ///< A pod as its queue admits it, or the part that the queue adds.
  };

  Origin origin = Origin::manifest;
  Node object;         ///< The whole object; for a fragment, the known part of it.
  Node template_node;  ///< The mapping with `metadata` and `spec` of the pod.
  /// The nodes around the template, innermost first and the object last. Aliases and merge keys are
  /// followed: for a shared template these are the nodes around its use. For manifests only.
  std::vector<Node> around;
  /// The alias by which this workload uses a shared template; null if the template is not shared.
  /// Report role and amounts here, and problems of the text at the text.
  Node use;
  Field<std::string> api_version;  ///< Of the object.
  Field<std::string> kind;
  std::string name;        ///< metadata.name, generateName + `*`, or the task's name; may be empty.
  std::string name_space;  ///< `default` if not stated.
  std::string role;        ///< Which of several templates: `head`, `worker/gpu-group`, `Launcher` …
  std::vector<LabelEntry> labels;  ///< Of the pod template.
  std::vector<LabelEntry> annotations;
  PodSpec pod;
  bool is_assumed = false;                   ///< Compiled from an assumed task.
  bool completes_others = false;             ///< A runtime that is part of other workloads' pods.
  const KindFacts* declared_kind = nullptr;  ///< From `kinds` in gpulint.yaml; null for other
                                             ///< kinds.

  /// `Pod/default/train`, with `/role` if the object has several pods.
  [[nodiscard]] std::string display_name() const;
};

/// Whether the pods equal the template: for Kubernetes' own kinds; operators may set amounts and
/// schedulers of their own.
[[nodiscard]] bool has_plain_pods(const Workload& workload);

}  // namespace gpulint
