#pragma once

#include <string>
#include <vector>

#include "compiler/flyte/compiled_pod.h"
#include "compiler/flyte/config_value.h"
#include "compiler/flyte/resources.h"
#include "compiler/model/workload.h"

namespace gpulint::flyte {

/// An item of a pod with its origin in the configuration.
template <class T>
struct Sourced {
  T item;
  Node node;
  std::string key;
};

struct DraftTerm {
  Node node;
  std::vector<Sourced<SelectorRequirement>> expressions;
  std::vector<SelectorRequirement> fields;
};

/// A pod spec under construction, limited to the fields that Flyte changes.
struct PodDraft {
  Resources resources;
  std::vector<Sourced<Toleration>> tolerations;
  std::vector<Sourced<LabelEntry>> node_selector;  ///< Keys unique.
  bool has_affinity = false;
  bool has_required = false;
  std::vector<DraftTerm> required;
  std::vector<Sourced<SelectorTerm>> preferred;
  ConfigValue pod_affinity;  ///< The parts of an affinity other than nodeAffinity.
  Sourced<Field<std::string>> scheduler_name;
  Sourced<Field<std::string>> runtime_class_name;
  std::vector<Sourced<LabelEntry>> labels;
  bool is_resources_open = false;  ///< There may be more requests, tolerations … than are known.
  bool is_tolerations_open = false;
  bool is_node_selector_open = false;
  bool is_affinity_open = false;
};

/// Copies an affinity, with `key` as the source of each part.
void set_affinity(const NodeAffinity& node_affinity, const ConfigValue& whole,
                  const std::string& key, PodDraft& draft);

/// flytek8s.AddRequiredNodeSelectorRequirements: adds it to every term, or as the only term. Flyte
/// 2 does not add it to terms that already have it.
void add_requirement(const Sourced<SelectorRequirement>& requirement, FlyteVersion version,
                     PodDraft& draft);

/// Whether the pod has a toleration of the same key, operator, value and effect.
[[nodiscard]] bool has_toleration(const Toleration& toleration, const PodDraft& draft);

/// Sets a node selector label; the later value takes precedence.
void set_node_selector(const LabelEntry& label, const std::string& key, PodDraft& draft);

/// Merges two pods as mergo does (WithOverride, WithAppendSlice): the lists of `base` come first,
/// the draft's values take precedence.
void merge_onto(PodDraft base, PodDraft& draft);

/// Writes the draft into a pod's workload and origins.
void finish(PodDraft draft, CompiledPod& pod);

}  // namespace gpulint::flyte
