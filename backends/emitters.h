#pragma once

#include <ostream>

#include "backends/backend.h"

namespace gpulint {

// One function for each row of formats.def.
#define GPULINT_FORMAT(name, extension, help) void emit_##name(const Run& run, std::ostream& out);
#include "backends/formats.def"
#undef GPULINT_FORMAT

}  // namespace gpulint
