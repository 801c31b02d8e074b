#include "compiler/engine/rule.h"

namespace gpulint::rules {

// Found by compiler/engine/suppression.cpp once every other rule has spoken.
extern constinit const Rule unused_suppression;
constinit const Rule unused_suppression{.info = {.id = "unused-suppression",
                                                 .category = "gpulint",
                                                 .summary = "A suppression silences nothing.",
                                                 .severity = Severity::warning,
                                                 .fix = FixAvailability::safe},
                                        .check = nullptr};

}  // namespace gpulint::rules
