#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "compiler/model/workload.h"

namespace gpulint::rules {

/// How a path of the node relates to its GPU driver.
enum class DriverPath : std::uint8_t {
  none,
  device,             ///< `/dev/nvidia0`, `/dev/nvidiactl`, `/dev/kfd` …
  driver,             ///< The driver's libraries or tools: `/usr/local/nvidia`, `libcuda.so.1`.
  gke_driver,         ///< Where GKE installs them: `/home/kubernetes/bin/nvidia`.
  old_driver,         ///< Places of nvidia-docker 1: `/usr/lib/nvidia-375`, its volumes.
  library_directory,  ///< All of the node's libraries: `/lib64`, `/usr/lib/x86_64-linux-gnu`.
};

[[nodiscard]] DriverPath classify_host_path(std::string_view path);
/// The resource to request instead of the path: `amd.com/gpu` for `/dev/kfd`, else NVIDIA's.
[[nodiscard]] std::string_view resource_behind(std::string_view path);

/// A volume that mounts the driver or devices of the node.
struct DriverVolume {
  const Volume* volume = nullptr;
  DriverPath path = DriverPath::none;
};

/// Those of a pod, by the volume's name; of equal names the first.
using DriverVolumes = std::map<std::string_view, DriverVolume>;
[[nodiscard]] DriverVolumes find_driver_volumes(const PodSpec& pod);

}  // namespace gpulint::rules
