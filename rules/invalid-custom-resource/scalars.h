#pragma once

#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"
#include "compiler/model/schema.h"

namespace gpulint::rules::invalid_custom_resource {

/// What stands there, for a message: «a list», «the string `true`», «`580.95`».
[[nodiscard]] std::string written(Node at);

/// The same value with or without quotes, where that is what is meant; else no edits.
[[nodiscard]] std::vector<Edit> mend(const SourceSet& sources, Node at, const Schema& schema);

}  // namespace gpulint::rules::invalid_custom_resource
