#include "compiler/engine/rule.h"

namespace gpulint::rules::policy {

// The `policies` of gpulint.yaml are rules of their own, each with its own id, evaluated by
// compiler/check/policies.cpp. This one represents all of them in lists and documentation.
extern constinit const Rule rule{.info = {.category = "gpulint"}};

}  // namespace gpulint::rules::policy
