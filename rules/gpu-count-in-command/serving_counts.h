#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"
#include "rules/support/dra_queries.h"

namespace gpulint::rules::gpu_count_in_command {

/// NIMServices with fewer GPUs than their model is spread over: by `tensorParallelism` of the
/// NIMCache that they name («the minimum GPUs required for the model computations»,
/// NVIDIA/k8s-nim-operator f63f74d7ad22, nimcache_types.go), or by `NIM_TENSOR_PARALLEL_SIZE` or
/// the name of a profile (`NIM_MODEL_PROFILE`) in their environment. Services of several machines,
/// and devices that are claimed, are left out.
void check_nim(const Corpus& corpus, Reporter& reporter);

/// A LeaderWorkerSet whose leader starts vLLM with more processes (tensor times pipeline
/// parallelism, each with a GPU of its own) than the `size` pods of a group have devices.
void check_worker_sets(const Corpus& corpus, Reporter& reporter);

/// How many whole devices a container gets, each for one process.
struct GivenDevices {
  std::int64_t amount = 0;
  std::int64_t most = 0;  ///< Processes that get a device each: most_processes().
  std::string what;       ///< `nvidia.com/gpu`; devices of a claim.
  Node node;              ///< What says so.
};

/// By its limits (find_devices), or by its claims alone; nullopt where that is open, or none are.
/// Of claims such count whose object is in the scope and whose requests all ask for so many GPUs of
/// NVIDIA's own class (resource.k8s.io: `ExactCount`, one where no count is written).
[[nodiscard]] std::optional<GivenDevices> given_devices(const Container& container,
                                                        const PodSpec& pod,
                                                        const ClaimIndex& claims);

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
