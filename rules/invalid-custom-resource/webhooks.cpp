#include "rules/invalid-custom-resource/webhooks.h"

#include "rules/invalid-custom-resource/serving_workers.h"
#include "rules/invalid-custom-resource/training_jobs.h"
#include "rules/invalid-custom-resource/volcano_job.h"
#include "rules/invalid-custom-resource/worker_set.h"
#include "rules/invalid-custom-resource/workflow_fields.h"
#include "rules/invalid-custom-resource/workspace.h"

namespace gpulint::rules::invalid_custom_resource {

void check_webhooks(const Corpus& corpus, Reporter& reporter) {
  check_volcano_jobs(corpus, reporter);
  check_training_jobs(corpus, reporter);
  check_worker_sets(corpus, reporter);
  check_serving_workers(corpus, reporter);
  check_workspaces(corpus, reporter);
  check_workflow_fields(corpus, reporter);
}

}  // namespace gpulint::rules::invalid_custom_resource
