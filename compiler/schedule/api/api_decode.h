#pragma once

#include <string>

#include "compiler/ir/node.h"
#include "compiler/schedule/api/api_problem.h"
#include "compiler/schedule/api/api_schema.h"

namespace gpulint {

/// Reads `node` as the API server decodes it into `type`, with strict field validation: reports
/// values of the wrong type, bad quantities, unknown fields and repeated keys. Placeholders fit
/// everywhere.
void decode(Node node, const ApiType& type, const std::string& path, ApiReport& report);

}  // namespace gpulint
