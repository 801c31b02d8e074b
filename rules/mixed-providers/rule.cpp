#include "compiler/engine/rule.h"

#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/flyte/analysis.h"
#include "compiler/model/facts/provider_catalog.h"
#include "rules/support/flyte_labels.h"

namespace gpulint::rules::mixed_providers {
namespace {

/// Clouds whose own label this is; empty for labels that the user or GPU feature discovery sets.
[[nodiscard]] std::set<std::string_view> clouds_of(std::string_view key) {
  std::set<std::string_view> clouds;
  for (const ProviderLabel* label : labels_with_key(key)) {
    if (label->provider.starts_with("gke")) clouds.insert("GKE");
    if (label->provider.starts_with("eks") || label->provider.starts_with("karpenter-aws")) {
      clouds.insert("EKS");
    }
    if (label->provider.starts_with("aks")) clouds.insert("AKS");
  }
  if (key.starts_with("k8s.amazonaws.com/")) clouds.insert("EKS");
  return clouds;
}

/// The partition label that goes with a cloud's device label: GKE's own, Flyte's default for EKS.
[[nodiscard]] std::string_view partition_label_of(std::string_view cloud) {
  if (cloud == "GKE") return "cloud.google.com/gke-gpu-partition-size";
  return cloud == "EKS" ? "k8s.amazonaws.com/gpu-partition-size" : std::string_view{};
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const flyte::K8sPluginConfig& config = installation.loaded.propeller.k8s;
    const Field<std::string>& device = config.gpu_device_node_label;
    const Field<std::string>& partition = config.gpu_partition_size_node_label;
    if (!device.is_known() || !partition.is_known() || !device.node() || !partition.node())
      continue;
    const auto device_clouds = clouds_of(device.value());
    const auto partition_clouds = clouds_of(partition.value());
    if (device_clouds.size() != 1 || partition_clouds.size() != 1) continue;
    if (device_clouds == partition_clouds) continue;
    // If nodes or a provider show which of the two is wrong, another rule reports it.
    if (find_mismatch(corpus, installation, FlyteLabel::device) ||
        find_mismatch(corpus, installation, FlyteLabel::partition)) {
      continue;
    }
    Finding finding =
        reporter
            .report(partition.node(),
                    "partition label `{}` is for {} nodes, but the device label is for {} nodes",
                    partition.value(), *partition_clouds.begin(), *device_clouds.begin())
            .related(device.node(), fmt::format("the device label `{}` is for {} nodes",
                                                device.value(), *device_clouds.begin()))
            .help(
                "use two labels of the same cloud provider. Otherwise a task with a partition "
                "stays Pending, because no node has both labels");
    const std::string_view twin = partition_label_of(*device_clouds.begin());
    if (twin.empty()) continue;
    finding.fix(Safety::unsafe, fmt::format("use `{}`", twin),
                replace_string(*corpus.sources, partition.node(), twin));
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "flyte", .severity = Severity::warning, .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules::mixed_providers
