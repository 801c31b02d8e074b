#pragma once

#include <span>

#include "compiler/base/diagnostic.h"
#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::unknown_gpu_label {

/// Whether something is found there already, by a rule that knows the nodes, or what the label has
/// become.
[[nodiscard]] bool is_told(std::span<const Diagnostic> found, Node where);

/// Labels of declared pools, unless a pod selects them by just that name; and GPU Feature
/// Discovery's product label with a name that it has for none, where it is known to run.
void check_pool_labels(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter);

}  // namespace gpulint::rules::unknown_gpu_label
