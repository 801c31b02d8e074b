#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::invalid_custom_resource {

/// Reports `minAvailable` above the replicas that there are, of Volcano's Jobs that ask for GPUs
/// (volcano-sh/volcano ed72c7c815a9, pkg/webhooks/admission/jobs/validate/admit_job.go).
void check_volcano_jobs(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::invalid_custom_resource
