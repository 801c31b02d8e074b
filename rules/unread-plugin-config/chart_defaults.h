#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::unread_plugin_config {

/// Values of NVIDIA's charts whose `config.default` names a configuration while nothing names the
/// ConfigMap that would hold it, or names that ConfigMap itself.
void check_values(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::unread_plugin_config
