#pragma once

#include <deque>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/engine/config.h"
#include "compiler/engine/corpus.h"

namespace gpulint {

/// Evaluates the user's policies over the Kubernetes objects of one scope. Findings point to the
/// policy's own RuleInfo and have its severity. Patterns match whole values (RE2, full match).
///
/// A path consists of keys from the object's root, separated by dots. Keys that contain dots
/// (`metadata.labels.app.kubernetes.io/name`) are also found. A list in the path means each of its
/// items: `require` applies to all of them, `forbid` to each.
[[nodiscard]] std::vector<Diagnostic> check_policies(const Corpus& corpus,
                                                     const std::deque<Policy>& policies);

}  // namespace gpulint
