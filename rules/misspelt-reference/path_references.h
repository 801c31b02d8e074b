#pragma once

#include <vector>

#include "compiler/model/corpus.h"
#include "rules/misspelt-reference/find_references.h"

namespace gpulint::rules::misspelt_reference {

/// Files and folders that are named and not among the inputs, each with those one letter off that
/// are: of kustomizations (`resources`, `bases`, `components`, patches), of releases (`valueFiles`
/// and the like), `spec.path` of Flux' Kustomizations; and `$name` of Argo CD's `valueFiles` that
/// no source has as its `ref`.
[[nodiscard]] std::vector<Reference> find_path_references(const Corpus& corpus);

}  // namespace gpulint::rules::misspelt_reference
