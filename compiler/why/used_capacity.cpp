#include "compiler/why/used_capacity.h"

#include "compiler/model/workload.h"
#include "compiler/schedule/pod_requests.h"

namespace gpulint::why {
namespace {

[[nodiscard]] bool has_ended(const Workload& workload) {
  const std::string_view phase = workload.object.get("status").get("phase").text();
  return phase == "Succeeded" || phase == "Failed";
}

}  // namespace

std::map<std::string, UsedCapacity> used_capacity(const Subject& subject,
                                                  std::string_view resource) {
  std::map<std::string, UsedCapacity> used;
  const auto workloads = subject.placement->workloads();
  for (std::size_t w = 0; w < workloads.size(); ++w) {
    const Workload& workload = *workloads[w];
    const std::string node = workload.pod.node_name.value_or("");
    if (w == subject.workload || node.empty() || has_ended(workload)) continue;
    const PodRequest* const request = subject.placement->pod(w).requests.find(resource);
    if (request == nullptr || request->amount == 0) continue;
    used[node].amount += request->amount;
    used[node].pods.push_back(workload.display_name());
  }
  return used;
}

}  // namespace gpulint::why
