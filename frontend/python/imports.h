#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpulint::python {

/// Whether a source may declare tasks: some line imports flytekit, union or flyte, or a module
/// whose name begins with these. It is a scan of some GB/s, fast enough for many sources.
[[nodiscard]] bool may_declare_tasks(std::string_view text);

/// The words of the module names and members that the source imports: `a`, `b` and `c` for `from
/// a.b import c`. Leaves out names on further lines of an import in brackets.
[[nodiscard]] std::vector<std::string> imported_words(std::string_view text);

}  // namespace gpulint::python
