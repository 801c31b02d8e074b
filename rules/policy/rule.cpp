#include "compiler/engine/rule.h"

namespace gpulint::rules::policy {

// The `policies` of gpulint.yaml are rules of their own, each with its own id, evaluated by
// compiler/check/policies.cpp; this one stands for all of them in lists and documentation.
extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "policy",
             .category = "gpulint",
             .summary = "Findings of the user's own `policies` in gpulint.yaml.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = nullptr};

}  // namespace gpulint::rules::policy
