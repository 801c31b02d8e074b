#pragma once

#include <string_view>

#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"
#include "compiler/model/facts/deprecation_catalog.h"

namespace gpulint::rules::alpha_gpu_api {

constexpr std::string_view alpha_resource = "alpha.kubernetes.io/nvidia-gpu";

/// Reports amounts of the resource and texts with its name. `fact`: the row of the resource.
void check_resource(const Corpus& corpus, Reporter& reporter, const Deprecation& fact, Node root);

}  // namespace gpulint::rules::alpha_gpu_api
