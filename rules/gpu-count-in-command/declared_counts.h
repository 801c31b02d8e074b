#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"
#include "compiler/model/workload.h"

namespace gpulint::rules::gpu_count_in_command {

/// A field of an object that says how many processes start in each pod of the workload.
struct DeclaredCount {
  std::string_view field;
  std::int64_t count = 0;
  Node node;
  /// Whether a process without a GPU of its own fails; others may share one.
  bool is_fatal = true;
};

/// - `slotsPerWorker` of an MPIJob, for its workers (kubeflow/mpi-operator v0.6, v2beta1 types.go:
///   slots of the hostfile);
/// - `nprocPerNode` of a PyTorchJob (kubeflow/trainer v1.9, pytorch_types.go), `numProcPerNode` of
/// a
///   TrainJob: `--nproc-per-node` of torchrun;
/// - `parallelism.tensor` of an LLMInferenceService without workers of other machines, and of its
///   `prefill`: `--tensor-parallel-size` (kserve v0.16, config/llmisvcconfig);
/// - `vllmConfig.tensorParallelSize` of a model of vLLM's production stack without Ray.
[[nodiscard]] std::optional<DeclaredCount> find_declared_count(const Workload& workload);

/// The devices that the container gets; null where that is open, none are, or one serves several
/// processes.
[[nodiscard]] const ResourceEntry* find_devices(const Container& container);

/// The most processes that get a device each: on some TPUs a chip has two devices. Where the pod does
/// not select a known generation, the largest number counts.
[[nodiscard]] std::int64_t most_processes(const ResourceEntry& devices, const PodSpec& pod);

/// Holds such a count against the first container with devices.
void check_declared(Reporter& reporter, const Workload& workload);

}  // namespace gpulint::rules::gpu_count_in_command
