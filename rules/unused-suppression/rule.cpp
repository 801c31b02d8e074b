#include "compiler/engine/rule.h"

namespace gpulint::rules::unused_suppression {

// Found by compiler/check/suppression.cpp once every other rule has spoken.
extern constinit const Rule rule{
    .info = {.category = "gpulint", .severity = Severity::warning, .fix = FixAvailability::safe}};

}  // namespace gpulint::rules::unused_suppression
