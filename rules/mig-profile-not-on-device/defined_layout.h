#pragma once

#include <string>
#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"
#include "compiler/model/gpu_catalog.h"

namespace gpulint::rules::mig_profile_not_on_device {

/// `A100-40GB, H100-80GB`.
[[nodiscard]] std::string names_of(const std::vector<const MigGpu*>& gpus);

/// Reports a layout that the pool's nodes ask for (`nvidia.com/mig.config`), where the one
/// configuration among the inputs that defines it gives their GPUs a profile that these do not
/// have. Of several definitions another one may be the nodes'.
void check_defined_layout(const Corpus& corpus, Reporter& reporter, const NodePool& pool);

}  // namespace gpulint::rules::mig_profile_not_on_device
