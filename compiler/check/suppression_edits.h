#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"

namespace gpulint {

/// Edits that put `# gpulint: ignore[rule] reason` on the lines of findings in one file: at the end
/// of the line, into a suppression that stands there, or on a line of its own above where the
/// line's end is inside a scalar. Findings for which there is no such place (JSON, documents that
/// do not parse, unused suppressions) get none. `documents`: all of the file, embedded ones
/// included. Sorted and disjoint; the result may still have to be judged by reading it again.
[[nodiscard]] std::vector<Edit> suppression_edits(const SourceFile& file,
                                                  std::span<const Document* const> documents,
                                                  std::span<const Diagnostic> findings,
                                                  std::string_view reason);

}  // namespace gpulint
