#include "rules/gpu-count-in-command/node_counts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/schedule/gpu_capacity.h"
#include "rules/gpu-count-in-command/flag_counts.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::gpu_count_in_command {
namespace {

/// Who starts processes for so many nodes.
struct Starter {
  const Workload* workload = nullptr;
  const Container* container = nullptr;
  FlagCount flag;
};

/// Whether its pods are one run. Of other kinds, and of a Job's only pod, the other nodes may be
/// told elsewhere.
[[nodiscard]] bool is_one_run(const Workload& workload, std::int64_t pods) {
  constexpr std::array<std::string_view, 5> kinds{"Job", "JobSet", "LeaderWorkerSet", "PyTorchJob",
                                                  "TrainJob"};
  return workload.origin == Workload::Origin::manifest && workload.kind.is_known() &&
         is_listed(kinds, workload.kind.value()) && (pods > 1 || !workload.kind.equals("Job"));
}

// PyTorch «torchrun (Elastic Launch)»: `--nnodes=N` waits for N nodes, `MIN:MAX` for MIN.
[[nodiscard]] std::optional<FlagCount> nodes_of_run(const Container& container) {
  const auto says = [&](std::string_view word) { return has_word(container.node, word); };
  if (!says("torchrun") && !says("torch.distributed")) return std::nullopt;
  // Nodes that are numbered by hand may stand in objects that are not here.
  if (says("--node_rank") || says("--node-rank")) return std::nullopt;
  for (const FlagCount& given : find_flag_counts(container.node)) {
    if (given.flag == "--nnodes") return given;
  }
  return std::nullopt;
}

/// However the file is ordered: by name.
[[nodiscard]] const Starter& first_of(const std::vector<Starter>& starters) {
  return *std::ranges::min_element(
      starters, {}, [](const Starter& starter) { return starter.workload->display_name(); });
}

/// The pods of the objects that start the run, others of theirs among them, which may take part in
/// it by a script; nothing where it may have more.
[[nodiscard]] std::optional<std::int64_t> pods_of(const Corpus& corpus,
                                                  const std::vector<Starter>& starters) {
  std::set<Span> objects;
  for (const Starter& starter : starters) objects.insert(starter.workload->object.span());
  std::int64_t pods = 0;
  for (const Workload& workload : corpus.workloads) {
    if (!objects.contains(workload.object.span())) continue;
    const auto count = pods_side_by_side(workload);
    if (!count || !is_one_run(workload, *count)) return std::nullopt;
    pods += *count;
  }
  return pods;
}

}  // namespace

void check_node_counts(const Corpus& corpus, Reporter& reporter) {
  std::map<std::int64_t, std::vector<Starter>> runs;  // by the nodes that they wait for
  for (const Workload& workload : corpus.workloads) {
    for (const Container& container : workload.pod.containers) {
      const auto flag = nodes_of_run(container);
      if (flag) runs[flag->count].push_back({&workload, &container, *flag});
    }
  }
  for (const auto& [nodes, starters] : runs) {
    const auto pods = pods_of(corpus, starters);
    if (!pods || *pods >= nodes) continue;
    const Starter& first = first_of(starters);
    reporter
        .report_span(place_of(*corpus.sources, first.flag), first.flag.node,
                     "`--nnodes {}` in {} of {}, of which there {} {} pod{}", nodes,
                     describe(*first.container), describe(*first.workload),
                     *pods == 1 ? "is" : "are", *pods, *pods == 1 ? "" : "s")
        .help("they wait for {} more until they give up: start {} pods, or write `--nnodes {}`",
              nodes - *pods, nodes, *pods);
  }
}

}  // namespace gpulint::rules::gpu_count_in_command
