#pragma once

#include "compiler/schedule/terms.h"
#include "compiler/why/story.h"
#include "compiler/why/tell.h"

namespace gpulint::why {

/// Where the demand of a term comes from; of a taint, where a toleration belongs.
[[nodiscard]] Origin origin_of(const Term& term, const Subject& subject);

}  // namespace gpulint::why
