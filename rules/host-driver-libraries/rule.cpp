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
    case DriverPath::gke_driver:
      return !serves_node;
    case DriverPath::library_directory:
      return !serves_node && requests_gpu(workload.pod);
    case DriverPath::device:
    case DriverPath::none:
      return false;
  }
  return false;
}

/// Names the mounts of the volume; false where there is none.
[[nodiscard]] bool relate_mounts(Finding& finding, const Workload& workload, const Volume& volume) {
  bool mounted = false;
  for (const Container& container : workload.pod.containers) {
    for (const VolumeMount& mount : container.volume_mounts) {
      if (!mount.name.is_known() || !volume.name.equals(mount.name.value())) continue;
      finding.related(mount.mount_path.node(),
                      fmt::format("{} mounts it here", describe(container)));
      mounted = true;
    }
  }
  return mounted;
}

void report_volume(Reporter& reporter, const Workload& workload, const Volume& volume,
                   DriverPath path) {
  Finding finding = reporter.report(volume.host_path.node(),
                                    "host path `{}` takes driver libraries from the node",
                                    volume.host_path.value());
  // Google's own GPUDirect pods mount GKE's driver, and a volume alone does nothing.
  const bool mounted = relate_mounts(finding, workload, volume);
  if (!mounted || path == DriverPath::gke_driver) finding.severity(Severity::info);
  if (path == DriverPath::gke_driver) {
    finding.help("GKE's device plugin mounts it into every container that requests a GPU");
  } else {
    finding.help(
        "the container toolkit mounts what fits the node's driver into containers that request a "
        "GPU");
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    for (const Volume& volume : workload.pod.volumes) {
      if (!volume.host_path.is_known()) continue;
      const DriverPath path = classify_host_path(volume.host_path.value());
      if (is_misplaced(workload, path)) report_volume(reporter, workload, volume, path);
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
