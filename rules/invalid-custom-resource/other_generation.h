#pragma once

#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/model/schema_problems.h"
#include "rules/support/custom_resources.h"

namespace gpulint::rules::invalid_custom_resource {

/// Reports a section of the resource most of whose fields its definition does not know, three at
/// least: the definition is of an older release, or of a newer. Once, in place of each field;
/// false: there is none.
[[nodiscard]] bool report_other_generation(Reporter& reporter, const CustomResource& resource,
                                           const std::vector<SchemaProblem>& problems);

}  // namespace gpulint::rules::invalid_custom_resource
