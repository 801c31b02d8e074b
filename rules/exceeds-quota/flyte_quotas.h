#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules::exceeds_quota {

/// Tasks that ask for more of a GPU than the namespace of any project has: by quotas of namespaces
/// that end in one of Flyte's domains, and by cluster resource templates with what `customData` has
/// for each domain (flyteorg/flyte, flyteadmin/pkg/clusterresource). Attributes of a project, which
/// stand in flyteadmin's database, may say otherwise.
void check_flyte_quotas(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::exceeds_quota
