#include "rules/gpu-count-in-command/process_flags.h"

#include <algorithm>
#include <array>

#include "compiler/base/text.h"

namespace gpulint::rules::gpu_count_in_command {
namespace {

// vLLM «Engine Arguments» and «Distributed Inference and Serving» (0.9), SGLang «Server Arguments»,
// text-generation-inference launcher, PyTorch «torchrun (Elastic Launch)» (2.7), Hugging Face
// Accelerate «The Command Line» (1.10).
constexpr std::array flags = {CountFlag{"--tensor-parallel-size", "vllm", true},
                              CountFlag{"-tp", "vllm", true},
                              CountFlag{"--tp-size", "sglang", true},
                              CountFlag{"--num-shard", "", true},
                              CountFlag{"--nproc_per_node", "torch", false},
                              CountFlag{"--nproc-per-node", "torch", false},
                              CountFlag{"--num_processes", "accelerate", true},
                              CountFlag{"--num-processes", "accelerate", true}};

/// Words of commands whose processes find those of other machines.
constexpr std::array<std::string_view, 12> of_several_nodes{"ray",
                                                            "--distributed-executor-backend",
                                                            "--nnodes",
                                                            "--node-rank",
                                                            "--dist-init-addr",
                                                            "--data-parallel-address",
                                                            "mpirun",
                                                            "--num_machines",
                                                            "--num-machines",
                                                            "--machine_rank",
                                                            "--config_file",
                                                            "multi-node-serving"};

[[nodiscard]] bool may_span_nodes(const Workload& workload, const Container& container) {
  constexpr std::array<std::string_view, 9> kinds{"ClusterServingRuntime",
                                                  "CronJob",
                                                  "Deployment",
                                                  "InferenceService",
                                                  "Job",
                                                  "Pod",
                                                  "ReplicaSet",
                                                  "ServingRuntime",
                                                  "StatefulSet"};
  if (!is_listed(kinds, workload.kind.value_or(""))) return true;
  return workload.object.at("spec", "workerSpec") ||
         std::ranges::any_of(of_several_nodes,
                             [&](std::string_view word) { return has_word(container.node, word); });
}

}  // namespace

const CountFlag* find_count_flag(const FlagCount& given, const Workload& workload,
                                 const Container& container) {
  const auto* const known = std::ranges::find(flags, given.flag, &CountFlag::flag);
  if (known == flags.end()) return nullptr;
  if (known->spans_nodes && may_span_nodes(workload, container)) return nullptr;
  if (known->of == "accelerate" && !has_word(container.node, "accelerate")) return nullptr;
  const std::string image = container.image.value_or("");
  if (given.flag == "-tp" && image.find("vllm") == image.npos) return nullptr;
  return known;
}

bool leaves_devices_idle(const CountFlag& flag, const Container& container) {
  if (flag.of != "torch") return false;
  const std::vector<FlagCount> given = find_flag_counts(container.node);
  const auto counts = std::ranges::count_if(
      given, [](const FlagCount& each) { return each.flag.starts_with("--nproc"); });
  const auto is_shared_out = [](const EnvVar& variable) {
    return variable.name.value_or("").find("VISIBLE_DEVICES") != std::string::npos;
  };
  // Parallelism of other kinds may give a process several devices.
  constexpr std::array<std::string_view, 4> words{"CUDA_VISIBLE_DEVICES", "--device", "--gpus",
                                                  "--model-parallel"};
  return counts == 1 && std::ranges::none_of(container.env, is_shared_out) &&
         std::ranges::none_of(
             words, [&](std::string_view word) { return has_word(container.node, word); });
}

}  // namespace gpulint::rules::gpu_count_in_command
