#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/model/named_objects.h"

namespace gpulint::rules::misspelt_reference {

/// What it says of a name that none of the targets has.
enum class Certainty : std::uint8_t {
  none,     ///< Others may exist.
  likely,   ///< Who gives some gives all, as far as the inputs tell.
  complete  ///< Nothing but the targets can be meant.
};

/// A place that names what is not among the inputs by its name, and what of that kind is.
struct Reference {
  Value<std::string> name;  ///< As it is written.
  std::string_view kind;    ///< `RuntimeClass`; `request` of a claim.
  Names targets;            ///< Those there are; empty where some name is open.
  std::string_view effect;  ///< What comes of a name that does not exist.
  Certainty certainty = Certainty::none;
};

/// Adds a reference where the name is written and not empty, and there are targets, it not among
/// them.
void add_reference(std::vector<Reference>& references, const Field<std::string>& name,
                   std::string_view kind, const Names& targets, std::string_view effect,
                   Certainty certainty);

/// The references of facts/kinds.json, and those that are no field of one object: runtime classes
/// in values of charts, requests of claims, configurations of NVIDIA's device plugin by node label
/// or default, queues, cohorts, PodTemplates of Flyte, files and folders.
[[nodiscard]] std::vector<Reference> find_references(const Corpus& corpus);

/// Files and folders that are named and not among the inputs, each with those one letter off that
/// are: of kustomizations (`resources`, `bases`, `components`, patches), of releases (`valueFiles`
/// and the like), `spec.path` of Flux' Kustomizations; and `$name` of Argo CD's `valueFiles` that
/// no source has as its `ref`.
[[nodiscard]] std::vector<Reference> find_path_references(const Corpus& corpus);

}  // namespace gpulint::rules::misspelt_reference
