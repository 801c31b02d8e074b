#include <array>
#include <utility>

#include "compiler/flyte/flyte_config.h"
#include "compiler/model/facts/accelerator_catalog.h"

namespace gpulint::flyte {
namespace {

[[nodiscard]] ConfigValue co_pilot_defaults(FlyteVersion version) {
  const bool is_v1 = version == FlyteVersion::v1;
  ConfigValue map = make_map();
  map.set("name", make_string("flyte-copilot-"));
  map.set("image", make_string(is_v1 ? "cr.flyte.org/flyteorg/flytecopilot:v0.0.15"
                                     : "cr.flyte.org/flyteorg/flyte-binary-v2:latest"));
  map.set("default-input-path", make_string("/var/flyte/inputs"));
  map.set("default-output-path", make_string("/var/flyte/outputs"));
  map.set("input-vol-name", make_string("flyte-inputs"));
  map.set("output-vol-name", make_string("flyte-outputs"));
  map.set("timeout", make_string("1h0m0s"));
  map.set("cpu", make_string("500m"));
  map.set("memory", make_string("128Mi"));
  return map;
}

[[nodiscard]] ConfigValue device_defaults() {
  ConfigValue map = make_map();
  for (const BackendDevice& device : flyte2_backend_devices()) {
    map.entries.push_back(make_entry(device.key, make_string(device.label_value)));
  }
  return map;
}

[[nodiscard]] ConfigValue class_defaults() {
  struct Class {
    std::string_view name;
    std::string_view resource;
  };
  constexpr std::array classes{
      Class{"NVIDIA_GPU", "nvidia.com/gpu"}, Class{"GOOGLE_TPU", "google.com/tpu"},
      Class{"AMAZON_NEURON", "aws.amazon.com/neuron"}, Class{"AMD_GPU", "amd.com/gpu"},
      Class{"HABANA_GAUDI", "habana.ai/gaudi"}};
  ConfigValue map = make_map();
  for (const Class& entry : classes) {
    ConfigValue& settings = map.at_or_add(entry.name);
    settings.set("resource-name", make_string(entry.resource));
    if (entry.name != "GOOGLE_TPU") continue;
    settings.set("device-node-label", make_string("cloud.google.com/gke-tpu-accelerator"));
    settings.set("partition-size-node-label", make_string("cloud.google.com/gke-tpu-topology"));
  }
  return map;
}

}  // namespace

// flyteplugins/go/tasks/pluginmachinery/flytek8s/config/config.go of v1.16.8 and Flyte 2.
ConfigValue k8s_plugin_defaults(FlyteVersion version) {
  ConfigValue map = make_map();
  map.at_or_add("default-annotations")
      .set("cluster-autoscaler.kubernetes.io/safe-to-evict", make_string("false"));
  map.set("default-cpus", make_string("1"));
  map.set("default-memory", make_string("1Gi"));
  map.set("co-pilot", co_pilot_defaults(version));
  map.set("create-container-error-grace-period", make_string("3m0s"));
  map.set("image-pull-backoff-grace-period", make_string("3m0s"));
  map.set("gpu-device-node-label", make_string("k8s.amazonaws.com/accelerator"));
  map.set("gpu-partition-size-node-label", make_string("k8s.amazonaws.com/gpu-partition-size"));
  map.set("gpu-resource-name", make_string("nvidia.com/gpu"));
  map.set("default-pod-template-resync", make_string("30s"));
  map.set("update-base-backoff-duration", make_integer(10));
  map.set("update-backoff-retries", make_integer(5));
  if (version == FlyteVersion::v2) {
    map.set("accelerator-devices", device_defaults());
    map.set("accelerator-device-classes", class_defaults());
  }
  return map;
}

// flyteadmin/pkg/runtime/task_resource_provider.go of v1.16.8.
ConfigValue task_resource_defaults() {
  ConfigValue map = make_map();
  ConfigValue& defaults = map.at_or_add("defaults");
  defaults.set("cpu", make_string("2"));
  defaults.set("memory", make_string("200Mi"));
  ConfigValue& limits = map.at_or_add("limits");
  limits.set("cpu", make_string("2"));
  limits.set("memory", make_string("1Gi"));
  limits.set("gpu", make_string("1"));
  return map;
}

}  // namespace gpulint::flyte
