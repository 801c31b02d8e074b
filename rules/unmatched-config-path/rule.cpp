#include "compiler/engine/rule.h"

namespace gpulint::rules::unmatched_config_path {

// Found by compiler/project/config_paths.cpp: rules see only the files that were read.
extern constinit const Rule rule{.info = {.category = "gpulint", .severity = Severity::warning}};

}  // namespace gpulint::rules::unmatched_config_path
