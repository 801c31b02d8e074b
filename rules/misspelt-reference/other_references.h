#pragma once

#include <vector>

#include "compiler/model/corpus.h"
#include "rules/misspelt-reference/find_references.h"
#include "rules/misspelt-reference/named_objects.h"

namespace gpulint::rules::misspelt_reference {

/// Names that say who acts: schedulers, Kueue's admission checks with what they go by, provisioning
/// classes; PodTemplates that Flyte's tasks and configuration name; the MachineSets of
/// MachineAutoscalers; the caches of NIM services.
[[nodiscard]] std::vector<Reference> find_other_references(const Corpus& corpus,
                                                           const NamedObjects& objects);

}  // namespace gpulint::rules::misspelt_reference
