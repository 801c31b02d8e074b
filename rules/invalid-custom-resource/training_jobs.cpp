#include "rules/invalid-custom-resource/training_jobs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "rules/support/queries.h"

namespace gpulint::rules::invalid_custom_resource {
namespace {

struct JobKind {
  std::string_view kind;
  std::string_view replicas;   ///< Below `spec`.
  std::string_view container;  ///< That every replica has.
};
constexpr auto job_kinds = std::to_array<JobKind>({{"PyTorchJob", "pytorchReplicaSpecs", "pytorch"},
                                                   {"TFJob", "tfReplicaSpecs", "tensorflow"},
                                                   {"XGBoostJob", "xgbReplicaSpecs", "xgboost"},
                                                   {"PaddleJob", "paddleReplicaSpecs", "paddle"},
                                                   {"JAXJob", "jaxReplicaSpecs", "jax"}});

[[nodiscard]] const JobKind* find_job_kind(const KubernetesObject& object) {
  if (!object.api_version.equals("kubeflow.org/v1")) return nullptr;
  const auto* const found = std::ranges::find(job_kinds, object.kind.value_or(""), &JobKind::kind);
  return found == job_kinds.end() ? nullptr : found;
}

void check_replica(const Corpus& corpus, const JobKind& job, Node replica, Reporter& reporter) {
  const std::vector<Node> containers = replica.at("template", "spec", "containers").items();
  if (containers.empty()) return;
  const bool may_have_it = std::ranges::any_of(containers, [&](Node container) {
    const Field<std::string> name = read_string(container, "name");
    return container.is_opaque() || !name.is_known() || name.value() == job.container;
  });
  if (may_have_it) return;
  const Node name = containers.front().get("name");
  Finding finding =
      reporter.report(name, "no container of this replica is called `{}`", job.container);
  finding.help("the training operator refuses a {} without it", job.kind);
  if (containers.size() > 1) return;
  finding.fix(Safety::unsafe, fmt::format("call it `{}`", job.container),
              replace_string(*corpus.sources, name, std::string(job.container)));
}

/// A number of processes, or `auto`: text since v1.7.
void check_processes(const Corpus& corpus, Node spec, Reporter& reporter) {
  const Field<std::int64_t> processes = read_int(spec, "nprocPerNode");
  if (!processes.is_known()) return;
  reporter
      .report(processes.node(), "`nprocPerNode` takes text, not the number {}", processes.value())
      .help("the API server refuses the job for it")
      .fix(Safety::safe, "quote it", quote(*corpus.sources, processes.node()));
}

}  // namespace

void check_training_jobs(const Corpus& corpus, Reporter& reporter) {
  for (const KubernetesObject& object : corpus.objects) {
    const JobKind* job = find_job_kind(object);
    if (job == nullptr || !makes_gpu_pods(corpus, object.node)) continue;
    const Node spec = object.node.get("spec");
    if (object.kind.equals("PyTorchJob")) check_processes(corpus, spec, reporter);
    for (const Node::Entry& replica : spec.get(job->replicas).fields()) {
      check_replica(corpus, *job, replica.value, reporter);
    }
  }
}

}  // namespace gpulint::rules::invalid_custom_resource
