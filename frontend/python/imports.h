#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpulint::python {

/// Whether a source may declare tasks: some line of it imports flytekit, union or flyte, or what is
/// called after these. A scan of some GB/s decides that, for walks over many sources.
[[nodiscard]] bool may_declare_tasks(std::string_view text);

/// The words of the module names and members that the source imports: `a`, `b` and `c` of
/// `from a.b import c`. Names that an import in brackets has on further lines are left out.
[[nodiscard]] std::vector<std::string> imported_words(std::string_view text);

}  // namespace gpulint::python
