#include "rules/support/driver_paths.h"

#include <array>

#include <re2/re2.h>

namespace gpulint::rules {
namespace {

// Kubernetes 1.6 and 1.7 "Schedule GPUs"; nvidia-docker 1 volumes; GoogleCloudPlatform/
// container-engine-accelerators 992db812 (GKE's driver installer).
constexpr const char* devices = R"(/dev/(nvidia.*|kfd))";
constexpr const char* old_drivers =
    R"(/usr/lib(64|32)?/nvidia-[0-9]+(/.*)?|)"
    R"(/var/lib/nvidia-docker(/.*)?|/var/lib/docker/volumes/nvidia.*)";
constexpr const char* drivers =
    R"((/usr)?/lib(64|32)?(/[a-z0-9_]+-linux-gnu)?/(nvidia(-current)?(/.*)?|lib(cuda|nvidia)[^/]*\.so.*)|)"
    R"(/usr/local/(nvidia|cuda)([-./].*)?|/opt/cuda(/.*)?|)"
    R"(/var/lib/nvidia(/.*)?|)"
    R"(/usr/bin/nvidia-[a-z-]+)";
constexpr const char* gke_drivers = R"(/home/kubernetes/bin/nvidia(/.*)?)";
constexpr const char* library_directories = R"((/usr)?/lib(64)?(/[a-z0-9_]+-linux-gnu)?)";

struct Pattern {
  RE2 expression;
  DriverPath meaning;
};

/// The first that matches counts. Compiled once: that takes longer than most files.
[[nodiscard]] const std::array<Pattern, 5>& patterns() {
  static const std::array<Pattern, 5> all{
      {{RE2(devices), DriverPath::device},
       {RE2(old_drivers), DriverPath::old_driver},
       {RE2(drivers), DriverPath::driver},
       {RE2(gke_drivers), DriverPath::gke_driver},
       {RE2(library_directories), DriverPath::library_directory}}};
  return all;
}

}  // namespace

DriverPath classify_host_path(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  for (const Pattern& pattern : patterns()) {
    if (RE2::FullMatch(re2::StringPiece(path.data(), path.size()), pattern.expression)) {
      return pattern.meaning;
    }
  }
  return DriverPath::none;
}

std::string_view resource_behind(std::string_view path) {
  return path.starts_with("/dev/kfd") ? "amd.com/gpu" : "nvidia.com/gpu";
}

DriverVolumes find_driver_volumes(const PodSpec& pod) {
  DriverVolumes volumes;
  for (const Volume& volume : pod.volumes) {
    if (!volume.name.is_known() || !volume.host_path.is_known()) continue;
    const DriverPath path = classify_host_path(volume.host_path.value());
    if (path != DriverPath::none) volumes.try_emplace(volume.name.value(), &volume, path);
  }
  return volumes;
}

}  // namespace gpulint::rules
