#pragma once

#include "compiler/ir/document.h"

namespace gpulint {

/// Gives scalars of one word the text that they have when nothing sets their variables:
/// `${GPU_COUNT:=1}` reads as `1`. These are the defaults of drone/envsubst, which Flux's postBuild
/// uses: `${X:=1}`, `${X=1}`, `${X:-1}`, `${X-1}`. Spans stay those of the file. Scalars that hold a
/// variable without a default, or with an empty one, stay opaque.
void use_variable_defaults(Document& document);

}  // namespace gpulint
