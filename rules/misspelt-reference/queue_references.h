#pragma once

#include <vector>

#include "compiler/model/corpus.h"
#include "rules/misspelt-reference/find_references.h"
#include "rules/misspelt-reference/named_objects.h"

namespace gpulint::rules::misspelt_reference {

/// The queues that workloads and other queues name: Kueue's with their flavors, KAI-Scheduler's,
/// Volcano's. Who gives some of them among the inputs gives all: that is likely, not certain.
[[nodiscard]] std::vector<Reference> find_queue_references(const Corpus& corpus,
                                                           const NamedObjects& objects);

}  // namespace gpulint::rules::misspelt_reference
