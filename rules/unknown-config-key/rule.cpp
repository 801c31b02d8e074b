#include "compiler/engine/rule.h"

namespace gpulint::rules::unknown_config_key {

// Found by compiler/engine/config.cpp while it reads gpulint.yaml.
extern constinit const Rule rule{.info = {.category = "gpulint", .fix = FixAvailability::safe}};

}  // namespace gpulint::rules::unknown_config_key
