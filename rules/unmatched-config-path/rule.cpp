#include "compiler/engine/rule.h"

namespace gpulint::rules::unmatched_config_path {

// Found by compiler/driver/config_paths.cpp: rules see no files but those that were read.
extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "unmatched-config-path",
             .category = "gpulint",
             .summary = "A name or glob of gpulint.yaml matches no file.",
             .severity = Severity::warning,
             .fix = FixAvailability::none},
    .check = nullptr};

}  // namespace gpulint::rules::unmatched_config_path
