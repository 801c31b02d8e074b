#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::invalid_custom_resource {

/// Reports jobs of `kubeflow.org/v1` that ask for GPUs: a replica without the container that the
/// training operator looks for by its name. Facts: kubeflow/trainer v1.9, pkg/webhooks.
void check_training_jobs(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::invalid_custom_resource
