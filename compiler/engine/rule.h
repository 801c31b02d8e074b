#pragma once

// engine: the interface of rules: what a rule is, how it reports, which rules are selected. Rules
// include it. It does not know any rule, and it does not run them.

#include <cstdint>
#include <span>

#include "compiler/base/diagnostic.h"
#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint {

/// What a finding of a rule may depend on.
enum class DependsOn : std::uint8_t {
  scope,  ///< On all of the corpus.
  /// On its file and the settings: the rule reads `sources`, `settings`, `documents`, `written` and
  /// nothing else of the corpus, so that it need not run again where another file has changed.
  file,
};

/// A rule: what is known of it, and a pure function from the corpus of one scope to findings.
/// Each is `extern constinit const Rule rule` in rules/<id>/rule.cpp; what else is in the folder is
/// in its namespace, too: gpulint::rules:: and the id.
struct Rule {
  /// The registry fills in `id`, the name of the folder, and `summary`, the first line of rule.md.
  RuleInfo info;
  /// nullptr for rules whose findings the engine itself makes (`unused-suppression` …).
  void (*check)(const Corpus& corpus, Reporter& reporter) = nullptr;
  /// Runs behind all others, with what they found in the scope: for what is worth a finding only
  /// where nobody says it better. May be nullptr.
  void (*check_after)(const Corpus& corpus, std::span<const Diagnostic> found,
                      Reporter& reporter) = nullptr;
  DependsOn depends_on = DependsOn::scope;
};

}  // namespace gpulint
