#include "compiler/driver/unknown_devices.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/flyte/accelerator.h"
#include "compiler/flyte/assume.h"
#include "compiler/flyte/task.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_label_value(const Cluster& cluster, const std::string& device) {
  return std::ranges::any_of(cluster.pools, [&](const NodePool& pool) {
    return std::ranges::any_of(pool.labels, [&](const PoolLabel& label) {
      return std::ranges::find(label.values, device) != label.values.end();
    });
  });
}

}  // namespace

std::vector<std::string> describe_unknown_devices(const Project& project) {
  std::vector<std::string> lines;
  for (const Scope& scope : project.scopes) {
    for (const flyte::Task& task :
         flyte::declared_tasks(scope.settings, scope.settings.flyte_version)) {
      if (!task.accelerator) continue;
      const std::string& device = task.accelerator->device.value;
      const std::string meant = flyte::suggest_accelerator(device);
      if (meant.empty() || is_label_value(scope.corpus.cluster, device)) continue;
      std::string line =
          fmt::format("task `{}`: nothing is known to be called `{}`; did you mean `{}`?",
                      task.name, device, meant);
      if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
    }
  }
  return lines;
}

}  // namespace gpulint
