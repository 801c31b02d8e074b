#include "rules/gpu-count-in-command/worker_sets.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "rules/gpu-count-in-command/declared_counts.h"
#include "rules/gpu-count-in-command/flag_counts.h"
#include "rules/support/causes.h"

namespace gpulint::rules::gpu_count_in_command {
namespace {

/// vLLM reads `_` in flags as `-` (vllm/utils, FlexibleArgumentParser).
[[nodiscard]] std::string plain(std::string flag) {
  std::ranges::replace(flag, '_', '-');
  return flag;
}

/// The processes that the container's command starts on all machines of a group.
struct Processes {
  std::int64_t tensor = 1;
  std::int64_t pipeline = 1;
  FlagCount last;  ///< Without a node where the command names no number.
};

[[nodiscard]] Processes count_processes(Node container) {
  Processes found;
  for (const FlagCount& given : find_flag_counts(container)) {
    const std::string flag = plain(given.flag);
    const bool is_tensor = flag == "--tensor-parallel-size" || flag == "-tp";
    const bool is_pipeline = flag == "--pipeline-parallel-size" || flag == "-pp";
    if (is_tensor) found.tensor = given.count;
    if (is_pipeline) found.pipeline = given.count;
    if (is_tensor || is_pipeline) found.last = given;
  }
  return found;
}

struct Devices {
  std::int64_t amount = 0;
  Node node;
};

/// Of the only container of the pod that asks for devices; nullopt where there are several, or
/// none.
[[nodiscard]] std::optional<Devices> devices_of(const Workload& workload) {
  std::optional<Devices> found;
  for (const Container& container : workload.pod.containers) {
    if (container.resources.opaque || !container.resources.claims.empty()) return std::nullopt;
    const ResourceEntry* const devices = find_devices(container);
    if (devices == nullptr) continue;
    if (found) return std::nullopt;
    found = Devices{most_processes(*devices, workload.pod), devices->name.node};
  }
  return found;
}

[[nodiscard]] const Workload* find_template(const std::vector<const Workload*>& set,
                                            std::string_view name) {
  const auto found = std::ranges::find_if(set, [&](const Workload* workload) {
    return workload->template_node.key() && workload->template_node.key().text() == name;
  });
  return found == set.end() ? nullptr : *found;
}

void check_set(const Corpus& corpus, const std::vector<const Workload*>& set, Reporter& reporter) {
  const Workload* const worker = find_template(set, "workerTemplate");
  const Workload* const own = find_template(set, "leaderTemplate");
  const Workload* const leader = own != nullptr ? own : worker;
  if (worker == nullptr || leader == nullptr) return;
  const Node settings = worker->template_node.parent();
  const Field<std::int64_t> size = read_int(settings, "size");
  const auto of_leader = devices_of(*leader);
  const auto of_worker = devices_of(*worker);
  if (!of_leader || !of_worker || !(size.is_known() || size.is_absent())) return;
  const std::int64_t pods = size.value_or(1);
  const std::int64_t all = of_leader->amount + (pods - 1) * of_worker->amount;
  for (const Container& container : leader->pod.containers) {
    const Processes processes = count_processes(container.node);
    const std::int64_t wanted = processes.tensor * processes.pipeline;
    if (!processes.last.node || !has_word(container.node, "vllm") || wanted <= all) continue;
    Finding finding = reporter.report_span(
        place_of(*corpus.sources, processes.last), processes.last.node,
        "vLLM starts {} times {} processes in {}, whose group of {} has {} devices",
        processes.tensor, processes.pipeline, describe(*leader), pods, all);
    if (size.is_known()) finding.related(size.node(), "the pods of a group");
    finding.related(of_leader->node, "devices of a pod")
        .help(
            "each process needs a GPU of its own, and vLLM waits for the rest: raise `size`, or "
            "lower "
            "`--tensor-parallel-size` or `--pipeline-parallel-size`");
  }
}

}  // namespace

void check_worker_sets(const Corpus& corpus, Reporter& reporter) {
  std::vector<const Workload*> set;
  const auto end_set = [&] {
    if (!set.empty()) check_set(corpus, set, reporter);
    set.clear();
  };
  for (const Workload& workload : corpus.workloads) {
    if (!set.empty() && set.front()->object != workload.object) end_set();
    if (workload.kind.equals("LeaderWorkerSet")) set.push_back(&workload);
  }
  end_set();
}

}  // namespace gpulint::rules::gpu_count_in_command
