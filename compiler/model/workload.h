#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/ir/node.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/quantity.h"

namespace gpulint {

// The parts of a Kubernetes pod that decide where it may run, each field with the place it was
// written at. Filled from manifests (read_pod.h) and by the Flyte compiler, where the nodes are
// those of the config lines that Flyte takes the values from (none for Flyte's own defaults).

/// An entry of a string map: label, annotation, node selector.
struct LabelEntry {
  Value<std::string> key;
  Field<std::string> value;
};

/// `core/v1 Toleration`. `node` is the mapping (or, compiled, the config it came from).
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
  std::int64_t weight = 0;  ///< Of a preferred term.
};

struct NodeAffinity {
  Node node;                  ///< The `nodeAffinity` mapping; nothing where absent.
  bool has_required = false;  ///< `requiredDuringScheduling…` is present (terms are ORed).
  std::vector<SelectorTerm> required;
  std::vector<SelectorTerm> preferred;
};

/// One entry of `limits` or `requests`. The amount is `mistyped` where it is no quantity.
struct ResourceEntry {
  Value<std::string> name;
  Field<Quantity> amount;
};

struct ResourceRequirements {
  Node node;           ///< The `resources` mapping; nothing where absent.
  Node limits_node;    ///< Nothing where absent.
  Node requests_node;  ///< Nothing where absent.
  std::vector<ResourceEntry> limits;
  std::vector<ResourceEntry> requests;
  std::vector<Value<std::string>> claims;  ///< Names of `resources.claims` (DRA).
  /// A placeholder or template stands where the whole map would be: anything may be requested.
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
  Field<std::string> host_path;  ///< Absent where the volume is of another kind.
};

/// `core/v1 PodSpec`, the part that gpulint reads.
struct PodSpec {
  Node node;
  std::vector<Container> containers;  ///< Init containers and sidecars first, in their order.
  Node tolerations_node;              ///< Nothing where absent.
  std::vector<Toleration> tolerations;
  bool tolerations_opaque = false;
  Node node_selector_node;
  std::vector<LabelEntry> node_selector;
  bool node_selector_opaque = false;
  NodeAffinity node_affinity;
  bool affinity_opaque = false;
  Field<std::string> runtime_class_name;
  bool has_runtime_class = false;  ///< What the RuntimeClass of that name adds is in the pod.
  Field<std::string> scheduler_name;
  Field<std::string> node_name;
  std::vector<ResourceEntry> overhead;
  ResourceRequirements pod_resources;  ///< Pod-level `spec.resources`.
  std::vector<Volume> volumes;
  std::vector<Value<std::string>> resource_claims;  ///< Names of `spec.resourceClaims`.
};

/// One pod template and what owns it.
struct Workload {
  enum class Origin : std::uint8_t {
    manifest,
    compiled,
    fragment,
    values,  ///< What values of a chart say of one of its pods; the chart may add to it.
    queued   ///< A pod as its queue lets it in, or the part that the queue adds.
  };

  Origin origin = Origin::manifest;
  Node object;         ///< The whole object; of a fragment what is known to be around.
  Node template_node;  ///< The mapping that holds `metadata` and `spec` of the pod.
  /// What is around the template, innermost first and the object last: aliases and merge keys
  /// followed, so that of a shared template it is what is around its use. Of manifests alone.
  std::vector<Node> around;
  /// The alias through which a template that several share is this one's; nothing where it stands
  /// for itself. What concerns the role or amount belongs here, what the text says to the text.
  Node use;
  Field<std::string> api_version;  ///< Of the object.
  Field<std::string> kind;
  std::string name;        ///< metadata.name, generateName + `*`, or the task's name; may be empty.
  std::string name_space;  ///< `default` where not stated.
  std::string role;        ///< Which of several templates: `head`, `worker/gpu-group`, `Launcher` …
  std::vector<LabelEntry> labels;  ///< Of the pod template.
  std::vector<LabelEntry> annotations;
  PodSpec pod;
  bool is_assumed = false;                   ///< Compiled of a task that nobody declared.
  const KindFacts* declared_kind = nullptr;  ///< Of `kinds` in gpulint.yaml; null of other kinds.

  /// `Pod/default/train`, with `/role` where the object holds several pods.
  [[nodiscard]] std::string display_name() const;
};

/// Whether the pods are what the template says: of a kind of Kubernetes' own, while operators fill
/// in amounts and schedulers of theirs.
[[nodiscard]] bool has_plain_pods(const Workload& workload);

}  // namespace gpulint
