#include "rules/invalid-custom-resource/volcano_job.h"

#include <cstdint>
#include <optional>

#include "compiler/ir/read.h"
#include "rules/support/queries.h"

namespace gpulint::rules::invalid_custom_resource {
namespace {

void check_least(Reporter& reporter, Node owner, std::int64_t replicas) {
  const Field<std::int64_t> least = read_int(owner, "minAvailable");
  if (!least.is_known() || least.value() <= replicas) return;
  reporter
      .report(least.node(), "`minAvailable: {}` is more than all replicas: {}", least.value(),
              replicas)
      .help("Volcano refuses the job: lower it, or raise `replicas`");
}

void check_job(Reporter& reporter, Node spec) {
  std::int64_t all = 0;
  for (const Node task : spec.get("tasks").items()) {
    const Field<std::int64_t> replicas = read_int(task, "replicas");
    if (!replicas.is_known() || replicas.value() < 0 || replicas.value() > 1'000'000) return;
    all += replicas.value();
    check_least(reporter, task, replicas.value());
  }
  check_least(reporter, spec, all);
}

}  // namespace

void check_volcano_jobs(const Corpus& corpus, Reporter& reporter) {
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_job = object.kind.equals("Job") &&
                        object.api_version.value_or("").starts_with("batch.volcano.sh/");
    if (is_job && makes_gpu_pods(corpus, object.node)) check_job(reporter, object.node.get("spec"));
  }
}

}  // namespace gpulint::rules::invalid_custom_resource
