#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/engine/corpus.h"
#include "compiler/ir/field.h"
#include "compiler/model/named_objects.h"

namespace gpulint::rules::misspelt_reference {

/// How certain it is that a name without a target is wrong.
enum class Certainty : std::uint8_t {
  none,     ///< Other objects may exist.
  likely,   ///< If some are among the inputs, usually all are.
  complete  ///< Only the targets can be meant.
};

/// A name without an object among the inputs, and the objects of that kind that are.
struct Reference {
  Value<std::string> name;  ///< As it is written.
  std::string_view kind;    ///< `RuntimeClass`; `request` of a claim.
  Names targets;            ///< The existing ones; empty if a name is unknown.
  std::string_view effect;  ///< What happens if the name does not exist; also after "Otherwise".
  Certainty certainty = Certainty::none;
  /// The namespace of the user, if the name exists only in other namespaces: the targets then are
  /// `namespace/name`. Otherwise empty.
  std::string home = {};
  /// A kind without namespaces that may have the name instead; empty if there is none.
  std::string_view other_kind = {};
  std::string remedy = {};   ///< The first sentence of the help; empty: to create the object.
  std::string message = {};  ///< Empty: `unknown`, the kind and the name.
};

/// Adds a reference if the name is set and not empty, and there are targets without that name.
void add_reference(std::vector<Reference>& references, const Field<std::string>& name,
                   std::string_view kind, const Names& targets, std::string_view effect,
                   Certainty certainty, std::string remedy = {});

/// The references of facts/kinds.json, and those that are not a field of one object: runtime
/// classes in values of charts, requests of claims, configurations of NVIDIA's device plugin by
/// node label or default, queues, cohorts, PodTemplates of Flyte, files and folders.
[[nodiscard]] std::vector<Reference> find_references(const Corpus& corpus);

/// Files and folders that are named but not among the inputs, each with the existing ones that
/// differ by one letter: in kustomizations (`resources`, `bases`, `components`, patches), in
/// releases (`valueFiles` and similar), in `spec.path` of Flux Kustomizations; and `$name` of Argo
/// CD's `valueFiles` that no source has as its `ref`.
[[nodiscard]] std::vector<Reference> find_path_references(const Corpus& corpus);

}  // namespace gpulint::rules::misspelt_reference
