#include "rules/gpu-count-in-command/serving_counts.h"

#include <algorithm>
#include <set>
#include <string>

#include "compiler/ir/read.h"
#include "rules/gpu-count-in-command/declared_counts.h"
#include "rules/gpu-count-in-command/flag_counts.h"
#include "rules/gpu-count-in-command/process_flags.h"
#include "rules/support/causes.h"

namespace gpulint::rules::gpu_count_in_command {
namespace {

/// The container of a runtime that serves the model (kserve pkg/constants).
[[nodiscard]] const Container* find_server(const Workload& runtime) {
  const auto& containers = runtime.pod.containers;
  const auto found = std::ranges::find_if(containers, [](const Container& container) {
    return container.name.equals("kserve-container");
  });
  return found == containers.end() ? nullptr : &*found;
}

/// The service's own namespace comes first.
[[nodiscard]] const Workload* find_runtime(const std::vector<Workload>& workloads,
                                           const Workload& service) {
  const Node model = service.object.at("spec", "predictor", "model");
  const Field<std::string> name = read_string(model, "runtime");
  const Workload* found = nullptr;
  for (const Workload& workload : workloads) {
    if (!name.equals(workload.name) || !is_serving_runtime(workload)) continue;
    if (workload.role.starts_with("workerSpec")) return nullptr;  // of several machines
    const bool is_near = workload.kind.equals("ServingRuntime");
    if (is_near && workload.name_space != service.name_space) continue;
    if (found == nullptr || is_near) found = &workload;
  }
  return found;
}

}  // namespace

bool is_serving_runtime(const Workload& workload) {
  return workload.kind.equals("ServingRuntime") || workload.kind.equals("ClusterServingRuntime");
}

RuntimeUses::RuntimeUses(const std::vector<Workload>& workloads) {
  for (const Workload& service : workloads) {
    if (!service.kind.equals("InferenceService") || service.role != "predictor") continue;
    const Workload* const runtime = find_runtime(workloads, service);
    if (runtime != nullptr && !service.pod.containers.empty()) uses_.push_back({&service, runtime});
  }
}

bool RuntimeUses::is_used(const Workload& workload) const {
  return std::ranges::find(uses_, &workload, &Use::runtime) != uses_.end();
}

bool RuntimeUses::is_of_runtime(const Workload& service, const Container& container) const {
  const auto use = std::ranges::find(uses_, &service, &Use::service);
  return use != uses_.end() && container.node != service.pod.containers.front().node;
}

void RuntimeUses::check(const Corpus& corpus, Reporter& reporter) const {
  std::set<Span> told;
  for (const auto& [service, runtime] : uses_) {
    const Container* const server = find_server(*runtime);
    const Container& merged = service->pod.containers.front();
    const ResourceEntry* const devices = find_devices(merged);
    if (server == nullptr || devices == nullptr) continue;
    const std::int64_t limit = most_processes(*devices, service->pod);
    const std::vector<FlagCount> own = find_flag_counts(merged.node);
    for (const FlagCount& given : find_flag_counts(server->node)) {
      const bool is_said_again = std::ranges::find(own, given.flag, &FlagCount::flag) != own.end();
      if (is_said_again || given.count <= limit) continue;
      if (find_count_flag(given, *runtime, *server) == nullptr) continue;
      if (!told.insert(given.node.span()).second) continue;
      reporter
          .report_span(place_of(*corpus.sources, given), given.node,
                       "`{} {}` of {} in {}, which has {} `{}`", given.flag, given.count,
                       describe(*runtime), describe(*service), limit, devices->name.value)
          .related(devices->name.node, "the limit")
          .related(service->object.at("metadata", "name"), "the service")
          .help("one process for each of {} GPUs: the others find none; ask for {} or start {}",
                given.count, given.count, limit);
    }
  }
}

}  // namespace gpulint::rules::gpu_count_in_command
