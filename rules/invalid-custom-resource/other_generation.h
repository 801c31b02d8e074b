#pragma once

#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/model/schema_problems.h"
#include "rules/support/custom_resources.h"

namespace gpulint::rules::invalid_custom_resource {

/// A section of the resource most of whose fields its definition does not know, three at least: the
/// definition is of an older release, or of a newer. Nothing where there is none.
[[nodiscard]] Node find_other_generation(const CustomResource& resource,
                                         const std::vector<SchemaProblem>& problems);

/// Says so once, in place of each field.
void report_other_generation(Reporter& reporter, const CustomResource& resource, Node section);

}  // namespace gpulint::rules::invalid_custom_resource
