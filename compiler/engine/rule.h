#pragma once

// engine: the interface of rules: what a rule is, how it reports, which rules are selected. Rules
// include this room. It does not know any rule, and it does not run rules.

#include <cstdint>
#include <span>

#include "compiler/base/diagnostic.h"
#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"

namespace gpulint {

/// The inputs that a rule's findings may depend on.
enum class DependsOn : std::uint8_t {
  scope,  ///< The whole corpus.
  /// Its file and the settings only: the rule reads nothing of the corpus but `sources`,
  /// `settings`, `documents` and `written`. It need not run again after a change of another file.
  file,
};

/// A rule: its facts, and a pure function from the corpus of one scope to findings. Each is `extern
/// constinit const Rule rule` in rules/<id>/rule.cpp. All code of the folder is in its namespace:
/// gpulint::rules:: and the id.
struct Rule {
  /// The registry sets `id`, the name of the folder, and `summary`, the first line of rule.md.
  RuleInfo info;
  /// nullptr for rules whose findings the program itself makes (`unused-suppression` …).
  void (*check)(const Corpus& corpus, Reporter& reporter) = nullptr;
  /// Runs after all other rules and sees their findings in the scope: for findings that a more
  /// specific rule supersedes. May be nullptr.
  void (*check_after)(const Corpus& corpus, std::span<const Diagnostic> found,
                      Reporter& reporter) = nullptr;
  DependsOn depends_on = DependsOn::scope;
};

}  // namespace gpulint
