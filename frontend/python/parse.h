#pragma once

#include "compiler/base/source_file.h"
#include "compiler/ir/python.h"

namespace gpulint::python {

/// Reads the declarations of a Python source. Never fails: what it does not understand is opaque or
/// left out. A file larger than limits::python_bytes is not read.
[[nodiscard]] Module parse(const SourceFile& file);

}  // namespace gpulint::python
