#pragma once

#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/why/story.h"

namespace gpulint::why {

/// The places that stories show.
[[nodiscard]] std::vector<Span> places_in(const std::vector<Story>& stories);

}  // namespace gpulint::why
