#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules::invalid_custom_resource {

/// Reports what operators refuse or pass over by code of their own, whatever the definition says.
void check_webhooks(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::invalid_custom_resource
