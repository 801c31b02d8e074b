#include "compiler/engine/rule.h"

#include <map>
#include <string_view>

#include "rules/support/driver_paths.h"
#include "rules/support/queries.h"

namespace gpulint::rules::host_driver_libraries {
namespace {

/// A mount of a volume, and its container.
struct Mount {
  const Container* container = nullptr;
  Node path;
};

/// Whether the volume gives driver libraries to a pod that should not mount them. Agents of a node
/// (driver installers, device plugins) may mount them, but not from obsolete paths.
[[nodiscard]] bool is_misplaced(const Workload& workload, DriverPath path, const Mount* mount) {
  const bool serves_node = is_node_agent(workload) && !requests_gpu(workload.pod);
  switch (path) {
    case DriverPath::old_driver:
      return true;
    case DriverPath::driver:
    case DriverPath::gke_driver:
      return !serves_node;
    case DriverPath::library_directory:
      return !serves_node && mount != nullptr && requests_gpu(*mount->container);
    case DriverPath::device:
    case DriverPath::none:
      return false;
  }
  return false;
}

/// The first mount of each volume, by the volume's name; a container with a GPU comes first.
[[nodiscard]] std::map<std::string_view, Mount> index_mounts(const PodSpec& pod) {
  std::map<std::string_view, Mount> mounts;
  for (const Container& container : pod.containers) {
    for (const VolumeMount& mount : container.volume_mounts) {
      if (!mount.name.is_known()) continue;
      const auto [at, is_new] = mounts.try_emplace(mount.name.value());
      if (!is_new && (requests_gpu(*at->second.container) || !requests_gpu(container))) continue;
      at->second = {&container, mount.mount_path.node()};
    }
  }
  return mounts;
}

void report_volume(Reporter& reporter, const DriverVolume& driver, const Mount* mount) {
  Finding finding = reporter.report(driver.volume->host_path.node(),
                                    "volume `{}` contains GPU driver or CUDA files from the node",
                                    driver.volume->name.value());
  if (mount != nullptr) {
    finding.related(mount->path,
                    fmt::format("{} mounts the volume here", describe(*mount->container)));
  }
  // Google's GPUDirect pods mount GKE's driver, and a volume without a mount has no effect.
  const bool is_gke = driver.path == DriverPath::gke_driver;
  if (mount == nullptr || is_gke) finding.severity(Severity::info);
  if (is_gke) {
    finding.help(
        "remove the volume and its mounts, because GKE's device plugin mounts this path into each "
        "container with GPUs");
  } else {
    finding.help(
        "remove the volume and its mounts, because the NVIDIA Container Toolkit mounts the driver "
        "files into each container with GPUs. Otherwise the pod may fail after a driver update");
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    const DriverVolumes volumes = find_driver_volumes(workload.pod);
    if (volumes.empty()) continue;
    const std::map<std::string_view, Mount> mounts = index_mounts(workload.pod);
    for (const auto& [name, driver] : volumes) {
      const auto found = mounts.find(name);
      const Mount* mount = found == mounts.end() ? nullptr : &found->second;
      if (is_misplaced(workload, driver.path, mount)) report_volume(reporter, driver, mount);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "deprecated", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::host_driver_libraries
