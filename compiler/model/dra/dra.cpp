#include "compiler/model/dra/dra.h"

#include <algorithm>
#include <set>

#include "compiler/base/text.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/go_json.h"

namespace gpulint {
namespace {

#include "tables/dra.inc"

using DraProblemKind = DraProblem::Kind;

constexpr std::string_view group = "resource.k8s.io/";

/// The list of requests; null for other kinds.
[[nodiscard]] Node find_requests(const KubernetesObject& object) {
  if (!object.api_version.value_or("").starts_with(group)) return {};
  const std::string kind = object.kind.value_or("");
  if (kind == "ResourceClaim") return object.node.at("spec", "devices", "requests");
  if (kind == "ResourceClaimTemplate") return object.node.at("spec", "spec", "devices", "requests");
  return {};
}

/// Versions from v1beta2 on wrap a single request into `exactly`.
[[nodiscard]] bool wraps_requests(const KubernetesObject& object) {
  const std::string version = object.api_version.value_or("");
  return version == "resource.k8s.io/v1" || version == "resource.k8s.io/v1beta2";
}

void check_request(Node request, bool wraps, std::vector<DraProblem>& problems) {
  const Node plain = request.get("deviceClassName");
  const Node exactly = request.get("exactly");
  const Node alternatives = request.get("firstAvailable");
  if (request.is_opaque() || alternatives) return;
  if (wraps && plain) {
    problems.push_back({DraProblemKind::misplaced_class, plain, "exactly.deviceClassName"});
  } else if (!wraps && exactly) {
    problems.push_back({DraProblemKind::misplaced_class, exactly, "deviceClassName"});
  } else if (const Node owner = wraps ? exactly : request;
             !owner.get("deviceClassName") && !owner.is_opaque()) {
    problems.push_back({DraProblemKind::no_class, request, {}});
  }
}

/// Names below a list of mappings; false if a placeholder hides the list.
[[nodiscard]] bool collect_names(Node list, std::set<std::string>& names) {
  if (list.is_opaque()) return false;
  for (const Node item : list.items()) {
    const Field<std::string> name = decode_string(item.get("name"));
    if (item.is_opaque() || name.is_opaque()) return false;
    if (name.is_known()) names.insert(name.value());
  }
  return true;
}

void check_claim_sources(Node claims, std::vector<DraProblem>& problems) {
  for (const Node claim : claims.items()) {
    if (!claim.is_mapping()) continue;
    const bool named = static_cast<bool>(claim.get("resourceClaimName"));
    const bool from_template = static_cast<bool>(claim.get("resourceClaimTemplateName"));
    // Versions before v1beta1 had `source`.
    if (named == from_template && !claim.get("source")) {
      problems.push_back({DraProblemKind::claim_source, claim, {}});
    }
  }
}

}  // namespace

std::span<const DraDeviceClass> dra_device_classes() { return device_class_table; }
std::optional<std::string_view> suggest_device_class(std::string_view name) {
  constexpr std::size_t slip = 2;
  if (name.find('/') != std::string_view::npos && is_nvidia_device(name)) return "gpu.nvidia.com";
  std::optional<std::string_view> near;
  for (const DraDeviceClass& known : device_class_table) {
    const std::size_t distance = edit_distance(name, known.name, slip);
    if (distance == 0) return std::nullopt;
    if (distance <= slip) near = known.name;
  }
  return near;
}

const DraApiVersion* find_dra_version(std::string_view api_version) {
  if (!api_version.starts_with(group)) return nullptr;
  const auto* found = std::ranges::find(api_version_table, api_version.substr(group.size()),
                                        &DraApiVersion::version);
  return found == std::end(api_version_table) ? nullptr : found;
}

std::optional<ComputeDomain> read_compute_domain(const KubernetesObject& object) {
  const bool is_nvidias = object.api_version.value_or("").starts_with("resource.nvidia.com/");
  if (!is_nvidias || !object.kind.equals("ComputeDomain")) return std::nullopt;
  const Node made = object.node.at("spec", "channel", "resourceClaimTemplate");
  return ComputeDomain{object.node, decode_string(made.get("name"))};
}

std::vector<DeviceRequest> read_device_requests(const KubernetesObject& object) {
  std::vector<DeviceRequest> requests;
  for (const Node request : find_requests(object).items()) {
    const std::string name = decode_string(request.get("name")).value_or("");
    const auto append = [&](Node owner) {
      const Field<std::string> device_class = decode_string(owner.get("deviceClassName"));
      if (!device_class.is_absent()) requests.push_back({name, device_class, owner});
    };
    append(request);
    append(request.get("exactly"));
    for (const Node alternative : request.get("firstAvailable").items()) append(alternative);
  }
  return requests;
}

std::vector<DraProblem> check_device_requests(const KubernetesObject& object) {
  std::vector<DraProblem> problems;
  const bool is_known = find_dra_version(object.api_version.value_or("")) != nullptr;
  if (!is_known) return problems;
  for (const Node request : find_requests(object).items()) {
    if (request.is_mapping()) check_request(request, wraps_requests(object), problems);
  }
  return problems;
}

std::vector<DraProblem> check_pod_claims(const PodSpec& pod) {
  std::vector<DraProblem> problems;
  const Node claims = pod.node.get("resourceClaims");
  std::set<std::string> declared;
  const bool complete = collect_names(claims, declared);
  std::set<std::string> used;
  bool all_known = true;
  for (const Container& container : pod.containers) {
    const Node names = container.resources.node.get("claims");
    if (container.resources.opaque || !collect_names(names, used)) all_known = false;
    for (const Value<std::string>& claim : container.resources.claims) {
      if (complete && !declared.contains(claim.value) && !claim.node.is_opaque()) {
        problems.push_back({DraProblemKind::undeclared_claim, claim.node, claim.value});
      }
    }
    if (container.resources.claims.empty()) continue;
    for (const ResourceEntry& limit : container.resources.limits) {
      if (is_nvidia_device(limit.name.value)) {
        problems.push_back({DraProblemKind::gpu_twice, limit.name.node, limit.name.value});
      }
    }
  }
  check_claim_sources(claims, problems);
  for (const Node claim : claims.items()) {
    const Field<std::string> name = decode_string(claim.get("name"));
    if (all_known && name.is_known() && !used.contains(name.value())) {
      problems.push_back({DraProblemKind::unused_claim, claim, name.value()});
    }
  }
  return problems;
}

}  // namespace gpulint
