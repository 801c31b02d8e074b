#include "compiler/engine/rule.h"

#include <string>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/flyte/analysis.h"
#include "compiler/model/read_pod.h"
#include "rules/gpu-visible-devices-bypass/container_checks.h"
#include "rules/gpu-visible-devices-bypass/visible_devices.h"
#include "rules/gpu-visible-devices-bypass/zero_limits.h"
#include "rules/support/queries.h"

namespace gpulint::rules::gpu_visible_devices_bypass {
namespace {

void check_flyte(Reporter& reporter, const flyte::K8sPluginConfig& config) {
  for (const FlyteVariable& variable : flyte_variables(config)) {
    if (variable.name != "NVIDIA_VISIBLE_DEVICES" || !makes_visible(variable.value)) continue;
    reporter
        .report(variable.node,
                "Flyte sets `NVIDIA_VISIBLE_DEVICES: {}` in every pod, whatever it is allocated",
                variable.value)
        .help("leave it out: the device plugin sets it to the devices it allocates");
  }
}

/// Pods whose containers stand below `metadata`: beside what misplaced-resources says of that.
void check_misplaced(const Corpus& corpus, Reporter& reporter) {
  for (const KubernetesObject& object : corpus.objects) {
    const Node metadata = object.node.get("metadata");
    if (!object.kind.equals("Pod") || object.node.get("spec") || !metadata.get("containers")) {
      continue;
    }
    const PodSpec pod = read_pod_spec(metadata);
    for (const Container& container : pod.containers) check_container(reporter, pod, container);
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_misplaced(corpus, reporter);
  check_zero_limits(corpus, reporter);
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    check_flyte(reporter, installation.loaded.propeller.k8s);
  }
  for (const Workload& workload : corpus.workloads) {
    if (is_node_agent(workload)) continue;
    for (const Container& container : workload.pod.containers) {
      check_container(reporter, workload.pod, container);
    }
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "gpu-visible-devices-bypass",
             .category = "resources",
             .summary = "A variable makes GPUs visible that the container was not allocated.",
             .severity = Severity::warning,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules::gpu_visible_devices_bypass
