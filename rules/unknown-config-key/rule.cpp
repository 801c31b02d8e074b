#include "compiler/engine/rule.h"

namespace gpulint::rules::unknown_config_key {

// Found by compiler/engine/config.cpp while it reads gpulint.yaml.
extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "unknown-config-key",
             .category = "gpulint",
             .summary = "A key of gpulint.yaml or of a task means nothing to gpulint.",
             .severity = Severity::error,
             .fix = FixAvailability::safe},
    .check = nullptr};

}  // namespace gpulint::rules::unknown_config_key
