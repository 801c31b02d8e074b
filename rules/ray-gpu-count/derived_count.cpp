#include "rules/ray-gpu-count/derived_count.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "compiler/edit/edits.h"

namespace gpulint::rules::ray_gpu_count {

void check_derived(const Corpus& corpus, Reporter& reporter, const RayCluster& cluster,
                   const RayGroup& group) {
  const RayAccelerator* gpu = find_ray_gpu(group);
  if (gpu == nullptr || !is_autoscaled(cluster, group)) return;
  const auto is_understood = [](const RayAccelerator& accelerator) {
    return accelerator.limit.name.value.ends_with("gpu");
  };
  if (std::ranges::any_of(group.accelerators, is_understood)) return;
  const std::string amount = gpu->limit.amount.value().to_string();
  reporter
      .report(gpu->limit.name.node, "Ray's autoscaler counts no GPU for `{}`",
              gpu->limit.name.value)
      .help("it starts no pod of group `{}` for a GPU task; set `num-gpus: \"{}\"`", group.name,
            amount)
      .severity(Severity::warning)
      .fix(Safety::unsafe, "declare them",
           insert_entry(*corpus.sources, group.params_node, "num-gpus",
                        fmt::format("\"{}\"", amount)));
}

}  // namespace gpulint::rules::ray_gpu_count
