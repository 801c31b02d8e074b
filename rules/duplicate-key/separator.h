#pragma once

#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules::duplicate_key {

/// The first keys of the second and later Kubernetes objects in a mapping where `---` is missing
/// between them: `apiVersion` and `kind` are both repeated at the start of a line, and each object
/// has more than these two keys.
[[nodiscard]] std::vector<Node> objects_run_together(Node mapping);

/// `key`: the first key of an object; `first`: the first key of the mapping.
void report_missing_separator(const Corpus& corpus, Reporter& reporter, Node key, Node first);

}  // namespace gpulint::rules::duplicate_key
