#pragma once

#include <vector>

#include "compiler/model/corpus/corpus.h"
#include "rules/misspelt-reference/find_references.h"

namespace gpulint::rules::misspelt_reference {

/// Files and folders that are named and not among the inputs, each with those one letter off that
/// are: of kustomizations (`resources`, `bases`, `components`, patches), of releases (`valueFiles`
/// and the like), `spec.path` of Flux' Kustomizations; and `$name` of Argo CD's `valueFiles` that
/// no source has as its `ref`.
[[nodiscard]] std::vector<Reference> find_path_references(const Corpus& corpus);

/// The queues that workloads and other queues name: Kueue's with their flavors, KAI-Scheduler's,
/// Volcano's. Who gives some of them among the inputs gives all: that is likely, not certain.
[[nodiscard]] std::vector<Reference> find_queue_references(const Corpus& corpus,
                                                           const NamedObjects& objects);

/// Schedulers, priority classes, controllers of Kueue's admission checks, provisioning classes, and
/// PodTemplates that Flyte's tasks and configuration name.
[[nodiscard]] std::vector<Reference> find_other_references(const Corpus& corpus,
                                                           const NamedObjects& objects);

}  // namespace gpulint::rules::misspelt_reference
