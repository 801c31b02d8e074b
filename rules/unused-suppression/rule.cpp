#include "compiler/engine/rule.h"

namespace gpulint::rules::unused_suppression {

// Found by compiler/check/suppression.cpp once every other rule has spoken.
extern constinit const Rule rule;
constinit const Rule rule{.info = {.id = "unused-suppression",
                                   .category = "gpulint",
                                   .summary = "A suppression silences nothing.",
                                   .severity = Severity::warning,
                                   .fix = FixAvailability::safe},
                          .check = nullptr};

}  // namespace gpulint::rules::unused_suppression
