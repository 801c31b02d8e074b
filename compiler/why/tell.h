#pragma once

// why: a workload that fits no node → obstacles by group of nodes, where each demand comes from,
// and changes that were tried. Only what tries changes of files knows rules and files.

#include "compiler/why/story.h"
#include "compiler/why/subject.h"

namespace gpulint::why {

/// The story without a change of files: ChangeSearch finds it. `cannot` applies if it finds none.
[[nodiscard]] Story tell(const Subject& subject);

}  // namespace gpulint::why
