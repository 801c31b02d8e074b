#include "compiler/engine/rule.h"

#include <string_view>

#include "rules/support/driver_paths.h"
#include "rules/support/queries.h"

namespace gpulint::rules::privileged_gpu_container {
namespace {

/// The first driver or device that the container mounts from the node.
[[nodiscard]] DriverVolume find_mount(const DriverVolumes& volumes, const Container& container) {
  for (const VolumeMount& mount : container.volume_mounts) {
    if (!mount.name.is_known()) continue;
    const auto at = volumes.find(mount.name.value());
    if (at != volumes.end() && at->second.path != DriverPath::library_directory) return at->second;
  }
  return {};
}

/// `NVIDIA_VISIBLE_DEVICES` that makes devices visible; null if it does not.
[[nodiscard]] const EnvVar* find_visible_devices(const Container& container) {
  for (const EnvVar& variable : container.env) {
    if (!variable.name.equals("NVIDIA_VISIBLE_DEVICES") || !variable.value.is_known()) continue;
    const std::string& value = variable.value.value();
    if (value != "void" && value != "none" && !value.empty()) return &variable;
  }
  return nullptr;
}

void check_privileged(Reporter& reporter, const PodSpec& pod, const DriverVolumes& volumes,
                      const Container& container) {
  const Node place = container.privileged.node();
  if (const ResourceEntry* request = find_gpu_request(container)) {
    const std::string_view noun = device_noun(request->name.value);
    if (noun == "TPU") return;  // GKE's guides run them privileged
    reporter
        .report_key(place, "privileged {} sees every {} of the node, not only those it requests",
                    describe(container), noun)
        .severity(Severity::info)
        .related(request->name.node, "the container requests only these devices")
        .help(
            "remove `privileged` if the container needs only the devices that the device plugin "
            "provides");
    return;
  }
  if (may_request_gpu(pod)) return;  // a helper of the container that requests them
  const DriverVolume mount = find_mount(volumes, container);
  const EnvVar* visible = find_visible_devices(container);
  if (mount.volume == nullptr && visible == nullptr) return;
  Finding finding =
      reporter.report_key(place, "privileged {} requests no GPU, but can use every GPU of the node",
                          describe(container));
  finding.help(
      "request `{}`, and remove `privileged`, because the device plugin gives the container the "
      "requested devices",
      mount.volume == nullptr ? "nvidia.com/gpu"
                              : resource_behind(mount.volume->host_path.value()));
  if (mount.volume != nullptr) {
    finding.related(mount.volume->host_path.node(),
                    mount.path == DriverPath::device
                        ? "the container mounts this GPU device of the node"
                        : "the container mounts the node's GPU driver, so it can use the GPUs");
  } else {
    finding.related(visible->node, "this variable makes GPUs visible to the container");
  }
}

void check_device_mount(Reporter& reporter, const DriverVolumes& volumes,
                        const Container& container) {
  const DriverVolume mount = find_mount(volumes, container);
  if (mount.path != DriverPath::device || requests_gpu(container)) return;
  reporter
      .report(mount.volume->host_path.node(), "{} mounts device `{}` instead of requesting a GPU",
              describe(container), mount.volume->host_path.value())
      .help(
          "request `{}` instead of the mount. Otherwise the scheduler does not count the device, "
          "and the container's device cgroup may deny access",
          resource_behind(mount.volume->host_path.value()));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    if (is_node_agent(workload) && !requests_gpu(workload.pod)) continue;
    const DriverVolumes volumes = find_driver_volumes(workload.pod);
    for (const Container& container : workload.pod.containers) {
      if (container.resources.opaque) continue;
      if (container.privileged.equals(true)) {
        check_privileged(reporter, workload.pod, volumes, container);
      } else {
        check_device_mount(reporter, volumes, container);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::privileged_gpu_container
