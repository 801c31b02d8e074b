#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/model/gpu_resource.h"
#include "rules/gpu-count-in-command/declared_counts.h"
#include "rules/gpu-count-in-command/flag_counts.h"
#include "rules/gpu-count-in-command/node_counts.h"
#include "rules/gpu-count-in-command/worker_sets.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::gpu_count_in_command {
namespace {

/// A flag whose number is of processes, each with a GPU of its own.
struct CountFlag {
  std::string_view flag;
  std::string_view of;  ///< The program that takes it.
  bool spans_nodes;     ///< The processes may be on other machines.
};
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
  constexpr std::array<std::string_view, 7> kinds{
      "Deployment", "Job", "CronJob", "Pod", "ReplicaSet", "StatefulSet", "InferenceService"};
  if (!std::ranges::any_of(
          kinds, [&](std::string_view kind) { return workload.kind.equals(std::string(kind)); })) {
    return true;
  }
  return std::ranges::any_of(of_several_nodes,
                             [&](std::string_view word) { return has_word(container.node, word); });
}

void check_container(Reporter& reporter, const Workload& workload, const Container& container) {
  const ResourceEntry* const devices = find_devices(container);
  if (devices == nullptr) return;
  const std::int64_t limit = devices->amount.value().value();
  for (const FlagCount& given : find_flag_counts(container.node)) {
    const auto* const known = std::ranges::find(flags, given.flag, &CountFlag::flag);
    if (known == flags.end() || given.count <= limit) continue;
    if (known->spans_nodes && may_span_nodes(workload, container)) continue;
    if (known->of == "accelerate" && !has_word(container.node, "accelerate")) continue;
    const std::string image = container.image.value_or("");
    if (given.flag == "-tp" && image.find("vllm") == image.npos) continue;
    reporter
        .report(given.node, "`{} {}` in {} of {}, which has {} `{}`", given.flag, given.count,
                describe(container), describe(workload), limit, devices->name.value)
        .related(devices->name.node, "the limit")
        .help("one process for each of {} GPUs: the others find none; ask for {} or start {}",
              given.count, given.count, limit);
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    check_declared(reporter, workload);
    for (const Container& container : workload.pod.containers) {
      check_container(reporter, workload, container);
    }
  }
  for (const Workload& part : corpus.fragments) check_declared(reporter, part);
  check_worker_sets(corpus, reporter);
  check_node_counts(corpus, reporter);
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "gpu-count-in-command",
             .category = "resources",
             .summary = "A command or job starts processes for more GPUs or nodes than it has.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules::gpu_count_in_command
