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

/// One `gpulint: ignore[…]` comment or `gpulint.dev/ignore` annotation.
struct Suppression {
  Span where;                      ///< The comment, or the annotation's value.
  Span covers;                     ///< Findings that start in here are silenced.
  std::vector<std::string> rules;  ///< Ids and categories.
  bool used = false;
};

/// Every suppression in the documents of one file.
/// Comments: `# gpulint: ignore[a, b] reason` covers its own line; alone on a line, the next line,
/// and if a key starts there, its whole block. In Python a statement is a block, and a comment in
/// the decorators of a function or behind its `def` covers the function. `# gpulint:
/// ignore-file[a]` covers the file. Annotation `gpulint.dev/ignore: a,b` covers its object.
[[nodiscard]] std::vector<Suppression> read_suppressions(
    const SourceFile& file, const std::vector<const Document*>& documents);

/// Removes the findings that a suppression covers, marks the suppressions used, and returns the
/// removed findings. An empty rule list covers nothing: suppressing everything at once is not
/// offered.
std::vector<Diagnostic> apply_suppressions(std::vector<Suppression>& suppressions,
                                           std::vector<Diagnostic>& findings);

/// One finding of `rule` for each suppression that silenced nothing; the fix removes it. `known`
/// are the names that rules have, for those that are misspelt.
[[nodiscard]] std::vector<Diagnostic> report_unused(const std::vector<Suppression>& suppressions,
                                                    const SourceFile& file, const RuleInfo& rule,
                                                    std::span<const std::string_view> known = {});

}  // namespace gpulint
