#include "rules/bound-to-unfit-node/unassigned_share.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "compiler/ir/read.h"
#include "rules/support/causes.h"

namespace gpulint::rules::bound_to_unfit_node {
namespace {

/// Shares of GPUs that a scheduler of their own hands out.
struct HandedOut {
  std::string_view resource;
  std::string_view way;
};

/// HAMi's webhook denies such pods (Project-HAMi/HAMi pkg/scheduler/webhook.go: «pod has node
/// assigned»). The plugin of gpushare serves only pods that its scheduler extender has marked
/// (AliyunContainerService/gpushare-device-plugin pkg/gpu/nvidia/podutils.go,
/// isGPUMemoryAssumedPod).
constexpr auto handed_out = std::to_array<HandedOut>(
    {{"aliyun.com/gpu-mem",
      "gpushare's scheduler extender assigns the GPU, and `nodeName` passes it by"},
     {"nvidia.com/gpumem",
      "HAMi's scheduler assigns the GPU, and its webhook refuses pods with `nodeName`"},
     {"nvidia.com/gpumem-percentage",
      "HAMi's scheduler assigns the GPU, and its webhook refuses pods with `nodeName`"},
     {"nvidia.com/gpucores",
      "HAMi's scheduler assigns the GPU, and its webhook refuses pods with `nodeName`"}});

[[nodiscard]] bool check_share(Reporter& reporter, const Workload& workload,
                               const ResourceEntry& entry) {
  const auto* const found = std::ranges::find(handed_out, entry.name.value, &HandedOut::resource);
  const bool is_none = entry.amount.is_known() && entry.amount.value().is_zero();
  if (found == handed_out.end() || is_none) return false;
  reporter
      .report(workload.pod.node_name.node(),
              "{} is bound to a node by name, and nobody assigns its `{}`", describe(workload),
              entry.name.value)
      .related(entry.name.node, "the request")
      .help("{}: select the node by `kubernetes.io/hostname` instead", found->way);
  return true;
}

}  // namespace

void check_shares(Reporter& reporter, const Workload& workload) {
  for (const Container& container : workload.pod.containers) {
    for (const ResourceEntry& entry : container.resources.limits) {
      if (check_share(reporter, workload, entry)) return;
    }
  }
}

void check_claims(Reporter& reporter, const Workload& workload) {
  for (const Node claim : workload.pod.node.get("resourceClaims").items()) {
    const Field<std::string> made = read_string(claim, "resourceClaimTemplateName");
    if (!made.is_known()) continue;
    reporter
        .report(workload.pod.node_name.node(),
                "{} is bound to a node by name, and its claim of template `{}` is never allocated",
                describe(workload), made.value())
        .related(made.node(), "the claim")
        .help(
            "the scheduler allocates claims, and `nodeName` passes it by: select the node instead");
    return;
  }
}

}  // namespace gpulint::rules::bound_to_unfit_node
