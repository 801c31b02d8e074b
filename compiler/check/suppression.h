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

/// Edits that add `# gpulint: ignore[rule] reason` to the lines of findings in one file: at the end
/// of the line, in an existing suppression, or on a line above if the line ends inside a scalar.
/// Findings without such a place (JSON, documents that do not parse, unused suppressions) get none.
/// `documents`: all of the file, including embedded ones. The edits are sorted and disjoint; read
/// the result again to check it.
[[nodiscard]] std::vector<Edit> suppression_edits(const SourceFile& file,
                                                  std::span<const Document* const> documents,
                                                  std::span<const Diagnostic> findings,
                                                  std::string_view reason);

/// One `gpulint: ignore[…]` comment or `gpulint.dev/ignore` annotation.
struct Suppression {
  Span where;                      ///< The comment, or the annotation's value.
  Span covers;                     ///< Findings that start in here are suppressed.
  std::vector<std::string> rules;  ///< Ids and categories.
  bool used = false;
};

/// Every suppression in the documents of one file.
/// Comments: `# gpulint: ignore[a, b] reason` covers its own line. Alone on a line, it covers the
/// next line, and if a key starts there, its whole block. In Python a statement is a block, and a
/// comment in the decorators of a function or after its `def` covers the function. `# gpulint:
/// ignore-file[a]` covers the file. The annotation `gpulint.dev/ignore: a,b` covers its object.
[[nodiscard]] std::vector<Suppression> read_suppressions(
    const SourceFile& file, const std::vector<const Document*>& documents);

/// Removes the findings that a suppression covers, marks the suppressions used, and returns the
/// removed findings. An empty rule list covers nothing: it is not possible to suppress all rules.
std::vector<Diagnostic> apply_suppressions(std::vector<Suppression>& suppressions,
                                           std::vector<Diagnostic>& findings);

/// One finding of `rule` for each suppression that matches no finding; the fix removes it. `known`:
/// the names of rules, for misspelt ones.
[[nodiscard]] std::vector<Diagnostic> report_unused(const std::vector<Suppression>& suppressions,
                                                    const SourceFile& file, const RuleInfo& rule,
                                                    std::span<const std::string_view> known = {});

}  // namespace gpulint
