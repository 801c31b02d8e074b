#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::invalid_custom_resource {

/// Reports what KServe refuses of models on several machines, InferenceServices and ServingRuntimes
/// with `workerSpec`: sizes among the environment, another storage than a volume or an image, more
/// than one container of workers, an autoscaler (kserve v0.15.2, v0.16.0 and aaac4e294dae,
/// pkg/apis/serving/v1beta1/inference_service_validation.go,
/// pkg/webhook/admission/servingruntime).
void check_serving_workers(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::invalid_custom_resource
