#pragma once

#include <map>
#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::gpu_count_in_command {

/// Whether it is a ServingRuntime or ClusterServingRuntime of KServe.
[[nodiscard]] bool is_serving_runtime(const Workload& workload);

/// The InferenceServices whose runtime is among the workloads: KServe puts the arguments of the
/// service behind those of the runtime, and its amounts over those of the runtime
/// (kserve pkg/controller/v1beta1/inferenceservice/utils, MergeRuntimeContainers).
class RuntimeUses {
 public:
  explicit RuntimeUses(const std::vector<Workload>& workloads);

  /// Whether it is a runtime that an InferenceService uses.
  [[nodiscard]] bool is_used(const Workload& workload) const;
  /// Whether it is a container that the service has of its runtime.
  [[nodiscard]] bool is_of_runtime(const Workload& service, const Container& container) const;
  /// Holds the flags of runtimes against the devices of the services that use them; each flag once.
  void check(const Corpus& corpus, Reporter& reporter) const;

 private:
  struct Use {
    const Workload* service = nullptr;
    const Workload* runtime = nullptr;
  };
  std::vector<Use> uses_;
};

}  // namespace gpulint::rules::gpu_count_in_command
