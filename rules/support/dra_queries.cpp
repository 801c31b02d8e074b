#include "rules/support/dra_queries.h"

#include <algorithm>

#include "compiler/ir/read.h"
#include "compiler/model/kinds/pod_templates.h"
#include "rules/support/queries.h"

namespace gpulint::rules {
namespace {

[[nodiscard]] bool asks_for_gpu(const KubernetesObject& object) {
  return std::ranges::any_of(read_device_requests(object), [](const DeviceRequest& request) {
    return request.device_class.equals("gpu.nvidia.com") ||
           request.device_class.equals("mig.nvidia.com");
  });
}

[[nodiscard]] bool finds_gpu(const ClaimIndex::Objects& objects, const Field<std::string>& name) {
  if (!name.is_known()) return false;
  const auto found = objects.find(name.value());
  return found != objects.end() && asks_for_gpu(found->second);
}

}  // namespace

ClaimIndex::ClaimIndex(const Corpus& corpus) {
  for (const KubernetesObject& object : corpus.objects) {
    const std::string kind = object.kind.value_or("");
    if (kind == "ResourceClaim") claims.emplace(object_name(object.node), object);
    if (kind == "ResourceClaimTemplate") templates.emplace(object_name(object.node), object);
    if (kind != "DeviceClass") continue;
    classes.insert(object_name(object.node));
    const auto resource = read_string(object.node.get("spec"), "extendedResourceName");
    if (resource.is_known()) backed.insert(resource.value());
  }
}

bool ClaimIndex::is_gpu_claim(const PodSpec& pod, const std::string& claim) const {
  for (const Node entry : pod.node.get("resourceClaims").items()) {
    if (!read_string(entry, "name").equals(claim)) continue;
    return finds_gpu(claims, read_string(entry, "resourceClaimName")) ||
           finds_gpu(templates, read_string(entry, "resourceClaimTemplateName"));
  }
  return false;
}

const KubernetesObject* ClaimIndex::find_source(Node claim) const {
  const auto look = [&](const Objects& objects, std::string_view key) -> const KubernetesObject* {
    const auto found = objects.find(read_string(claim, key).value_or(""));
    return found == objects.end() ? nullptr : &found->second;
  };
  const KubernetesObject* named = look(claims, "resourceClaimName");
  return named != nullptr ? named : look(templates, "resourceClaimTemplateName");
}

std::optional<ClaimIndex::MistakenSource> ClaimIndex::find_mistaken_source(Node claim) const {
  constexpr std::string_view claim_key = "resourceClaimName";
  constexpr std::string_view template_key = "resourceClaimTemplateName";
  const auto look = [&](std::string_view key, const Objects& expected, const Objects& other,
                        std::string_view meant) -> std::optional<MistakenSource> {
    const Field<std::string> name = read_string(claim, key);
    if (!name.is_known() || expected.contains(name.value())) return std::nullopt;
    const auto found = other.find(name.value());
    if (found == other.end()) return std::nullopt;
    return MistakenSource{written_value(claim, key), found->second, meant};
  };
  auto mistaken = look(claim_key, claims, templates, template_key);
  return mistaken ? mistaken : look(template_key, templates, claims, claim_key);
}

std::optional<Value<std::string>> ClaimIndex::gpu_claim_beside(const PodSpec& pod,
                                                               Node limit) const {
  for (const Container& container : pod.containers) {
    const bool is_it =
        std::ranges::any_of(container.resources.limits,
                            [&](const ResourceEntry& entry) { return entry.name.node == limit; });
    if (!is_it) continue;
    for (const Value<std::string>& claim : container.resources.claims) {
      if (is_gpu_claim(pod, claim.value)) return claim;
    }
  }
  return std::nullopt;
}

std::vector<DraProblem> find_claim_problems(const Workload& workload) {
  std::vector<DraProblem> problems = check_pod_claims(workload.pod);
  const bool is_misspelt = std::ranges::any_of(problems, [](const DraProblem& problem) {
    return problem.kind == DraProblem::Kind::unused_claim;
  });
  if (is_misspelt || !is_completed_later(workload)) return problems;
  std::erase_if(problems, [](const DraProblem& problem) {
    return problem.kind == DraProblem::Kind::undeclared_claim;
  });
  return problems;
}

}  // namespace gpulint::rules
