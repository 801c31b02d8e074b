#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/read_pod.h"
#include "rules/support/ray_queries.h"

namespace gpulint::rules::ray_cpu_image {
namespace {

[[nodiscard]] bool has_nvidia_limit(const Container& container) {
  return std::ranges::any_of(container.resources.limits, [](const ResourceEntry& entry) {
    return is_nvidia_device(entry.name.value) && entry.amount.is_known() &&
           !entry.amount.value().is_zero();
  });
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const RayCluster& cluster : all_ray_clusters(corpus)) {
    for (const RayGroup& group : cluster.groups) {
      const Container container = read_container(group.container, ContainerKind::main);
      if (!container.image.is_known() || !has_nvidia_limit(container)) continue;
      if (classify_ray_image(container.image.value()) != RayImage::cpu) continue;
      std::string with_cuda = container.image.value();
      if (with_cuda.ends_with("-cpu")) with_cuda.erase(with_cuda.size() - 4);
      with_cuda += "-gpu";
      reporter
          .report(container.image.node(),
                  "image `{}` has no CUDA, but its container requests a GPU",
                  container.image.value())
          .help(
              "use a `rayproject` image with a tag that ends in `-gpu`, or in a CUDA version such "
              "as `-cu121`")
          .fix(Safety::unsafe, fmt::format("use `{}`", with_cuda),
               replace_string(*corpus.sources, container.image.node(), with_cuda));
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators",
                                          .severity = Severity::warning,
                                          .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::ray_cpu_image
