#pragma once

#include <deque>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/engine/config.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint {

/// Evaluates the user's policies over the Kubernetes objects of one scope. Findings point to each
/// policy's own RuleInfo and have its severity. Patterns match whole values (RE2, full match).
///
/// A path names keys from the object's root, parted by dots; keys that hold dots themselves
/// (`metadata.labels.app.kubernetes.io/name`) are found, too. A list on the way stands for each of
/// its items: `require` wants it of all of them, `forbid` of none.
[[nodiscard]] std::vector<Diagnostic> check_policies(const Corpus& corpus,
                                                     const std::deque<Policy>& policies);

}  // namespace gpulint
