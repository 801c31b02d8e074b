#pragma once

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
};

}  // namespace gpulint
