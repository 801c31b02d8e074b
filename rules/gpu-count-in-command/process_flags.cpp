#include "rules/gpu-count-in-command/process_flags.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "compiler/base/text.h"

namespace gpulint::rules::gpu_count_in_command {
namespace {

// vLLM «Engine Arguments» and «Distributed Inference and Serving» (0.9), SGLang «Server Arguments»,
// text-generation-inference launcher, PyTorch «torchrun (Elastic Launch)» (2.7), Hugging Face
// Accelerate «The Command Line» (1.10).
constexpr std::array flags = {CountFlag{"--tensor-parallel-size", "vllm", true},
                              CountFlag{"--tensor_parallel_size", "vllm", true},
                              CountFlag{"-tp", "vllm", true},
                              CountFlag{"--tp", "sglang", true},
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
  constexpr std::array<std::string_view, 11> kinds{"ClusterServingRuntime",
                                                   "CronJob",
                                                   "Deployment",
                                                   "DynamoComponentDeployment",
                                                   "DynamoGraphDeployment",
                                                   "InferenceService",
                                                   "Job",
                                                   "Pod",
                                                   "ReplicaSet",
                                                   "ServingRuntime",
                                                   "StatefulSet"};
  if (!is_listed(kinds, workload.kind.value_or(""))) return true;
  const Node spec = workload.object.get("spec");
  const bool is_multinode = spec.get("workerSpec") || spec.get("multinode") ||
                            spec.get("services").at(workload.role, "multinode");
  return is_multinode || std::ranges::any_of(of_several_nodes, [&](std::string_view word) {
           return has_word(container.node, word);
         });
}

/// Whether a placeholder stands among the command or the names of the environment: it may be
/// anything.
[[nodiscard]] bool is_open(const Container& container) {
  const auto has_placeholder = [&](std::string_view key) {
    const Node list = container.node.get(key);
    return list.is_opaque() || std::ranges::any_of(list.items(), &Node::is_opaque);
  };
  const auto is_unnamed = [](const EnvVar& variable) { return variable.name.is_opaque(); };
  return has_placeholder("command") || has_placeholder("args") ||
         container.node.get("env").is_opaque() || std::ranges::any_of(container.env, is_unnamed);
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
  const bool is_sglang = has_word(container.node, "sglang") ||
                         has_word(container.node, "dynamo.sglang") ||
                         image.find("sglang") != image.npos;
  if (given.flag == "--tp" && !is_sglang) return nullptr;
  return known;
}

// vLLM «Data Parallel Deployment» (0.10): of other `--data-parallel-…` flags some ranks are
// elsewhere.
std::int64_t processes_of(const CountFlag& flag, const FlagCount& given,
                          const Container& container) {
  if (flag.of != "vllm" || is_open(container)) return given.count;
  std::int64_t product = given.count;
  for (const FlagCount& each : find_flag_counts(container.node)) {
    std::string name = each.flag;
    std::ranges::replace(name, '_', '-');
    const bool is_factor = name == "--pipeline-parallel-size" || name == "-pp" ||
                           name == "--data-parallel-size" || name == "-dp";
    const bool is_elsewhere = name.starts_with("--data-parallel-") && !is_factor;
    if (is_elsewhere || each.count > 1024) return given.count;
    if (is_factor) product *= each.count;
  }
  constexpr std::array<std::string_view, 3> parts{"--data-parallel-hybrid-lb",
                                                  "--data-parallel-external-lb", "--headless"};
  const bool is_part = std::ranges::any_of(
      parts, [&](std::string_view word) { return has_word(container.node, word); });
  return is_part ? given.count : product;
}

bool leaves_devices_idle(const CountFlag& flag, const Container& container) {
  if (flag.of != "torch" || is_open(container)) return false;
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
