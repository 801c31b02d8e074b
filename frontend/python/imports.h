#pragma once

#include <string_view>

namespace gpulint::python {

/// Whether a source may declare tasks: some line of it imports flytekit, union or flyte, or what is
/// called after these. A scan of some GB/s decides that, for walks over many sources.
[[nodiscard]] bool may_declare_tasks(std::string_view text);

}  // namespace gpulint::python
