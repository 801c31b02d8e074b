#pragma once

#include <span>

#include "compiler/base/diagnostic.h"
#include "compiler/model/corpus.h"

namespace gpulint {

class Reporter;

/// A rule: what is known of it, and a pure function from the corpus of one scope to findings.
/// Each lives in rules/<id>/rule.cpp as `extern constinit const Rule` in namespace gpulint::rules.
struct Rule {
  RuleInfo info;
  /// nullptr for rules whose findings the engine itself makes (`unused-suppression` …).
  void (*check)(const Corpus& corpus, Reporter& reporter);
  /// Runs behind all others, with what they found in the scope: for what is worth a finding only
  /// where nobody says it better. May be nullptr.
  void (*check_rest)(const Corpus& corpus, std::span<const Diagnostic> found,
                     Reporter& reporter) = nullptr;
};

}  // namespace gpulint
