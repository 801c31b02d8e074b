#pragma once

#include "compiler/base/source_file.h"
#include "compiler/ir/python.h"

namespace gpulint::python {

/// Reads what a Python source declares. Never fails: what is not understood is opaque, or left out;
/// of a file of more than limits::python_bytes nothing is read.
[[nodiscard]] Module parse(const SourceFile& file);

}  // namespace gpulint::python
