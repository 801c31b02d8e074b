#include "compiler/engine/rule.h"

#include "compiler/engine/reporter.h"
#include "rules/support/driver_paths.h"
#include "rules/support/queries.h"

namespace gpulint::rules {
namespace {

/// Whether the volume hands driver libraries to a pod that has no business with them. The agents of
/// a node (driver installers, device plugins) do, but not with places that are no more.
[[nodiscard]] bool is_misplaced(const Workload& workload, DriverPath path) {
  const bool serves_node = is_node_agent(workload) && !requests_gpu(workload.pod);
  switch (path) {
    case DriverPath::old_driver:
      return true;
    case DriverPath::driver:
      return !serves_node;
    case DriverPath::library_directory:
      return !serves_node && requests_gpu(workload.pod);
    case DriverPath::device:
    case DriverPath::none:
      return false;
  }
  return false;
}

void relate_mounts(Finding& finding, const Workload& workload, const Volume& volume) {
  for (const Container& container : workload.pod.containers) {
    for (const VolumeMount& mount : container.volume_mounts) {
      if (!mount.name.is_known() || !volume.name.equals(mount.name.value())) continue;
      finding.related(mount.mount_path.node(),
                      fmt::format("{} mounts it here", describe(container)));
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    for (const Volume& volume : workload.pod.volumes) {
      if (!volume.host_path.is_known()) continue;
      const DriverPath path = classify_host_path(volume.host_path.value());
      if (!is_misplaced(workload, path)) continue;
      Finding finding = reporter.report(volume.host_path.node(),
                                        "host path `{}` takes driver libraries from the node",
                                        volume.host_path.value());
      relate_mounts(finding, workload, volume);
      finding.help(
          "request the GPU: the container toolkit or the device plugin then mounts what fits the "
          "node's driver");
    }
  }
}

}  // namespace

extern constinit const Rule host_driver_libraries;
constinit const Rule host_driver_libraries{
    .info = {.id = "host-driver-libraries",
             .category = "deprecated",
             .summary = "A pod mounts the GPU driver's libraries from the node by itself.",
             .severity = Severity::warning,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules
