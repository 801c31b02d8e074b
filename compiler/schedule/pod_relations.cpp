#include "compiler/schedule/pod_relations.h"

#include <fmt/format.h>

#include "compiler/ir/read.h"

namespace gpulint {
namespace {

[[nodiscard]] std::vector<Node> required_terms(const PodSpec& pod, std::string_view affinity) {
  return pod.node.at("affinity", affinity, "requiredDuringSchedulingIgnoredDuringExecution")
      .items();
}

/// Not for a StatefulSet with `ordinals`, whose first pod may have another number than 0.
[[nodiscard]] std::vector<VolumeClaim> claims_of_first_pod(const Workload& workload) {
  const Node spec = workload.object.get("spec");
  if (!workload.kind.equals("StatefulSet") || spec.get("ordinals")) return {};
  std::vector<VolumeClaim> claims;
  for (const Node claim : spec.get("volumeClaimTemplates").items()) {
    const Field<std::string> name = read_string(claim.get("metadata"), "name");
    if (!name.is_known()) continue;
    claims.push_back({fmt::format("{}-{}-0", name.value(), workload.name), name.node()});
  }
  return claims;
}

}  // namespace

std::vector<VolumeClaim> volume_claims(const Workload& workload) {
  std::vector<VolumeClaim> claims = claims_of_first_pod(workload);
  for (const Volume& volume : workload.pod.volumes) {
    const Field<std::string> name =
        read_string(volume.node.get("persistentVolumeClaim"), "claimName");
    if (name.is_known()) claims.push_back({name.value(), name.node()});
  }
  return claims;
}

bool has_ended(const Workload& workload) {
  const std::string_view phase = workload.object.at("status", "phase").text();
  return phase == "Succeeded" || phase == "Failed";
}

std::vector<Node> spread_constraints(const PodSpec& pod) {
  std::vector<Node> constraints = pod.node.get("topologySpreadConstraints").items();
  std::erase_if(constraints, [](Node constraint) {
    return !read_string(constraint, "whenUnsatisfiable").equals("DoNotSchedule");
  });
  return constraints;
}

std::vector<Node> pod_affinity_terms(const PodSpec& pod) {
  return required_terms(pod, "podAffinity");
}

std::vector<Node> pod_anti_affinity_terms(const PodSpec& pod) {
  return required_terms(pod, "podAntiAffinity");
}

bool is_plain_term(Node term) {
  return !term.get("namespaces") && !term.get("namespaceSelector") && !term.get("matchLabelKeys") &&
         !term.get("mismatchLabelKeys");
}

}  // namespace gpulint
