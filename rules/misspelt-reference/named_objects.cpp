#include "rules/misspelt-reference/named_objects.h"

#include <array>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"

namespace gpulint::rules::misspelt_reference {

NamedObjects::NamedObjects(const Corpus& corpus) {
  constexpr auto kinds = std::to_array<std::string_view>(
      {"RuntimeClass",     "ResourceClaim",  "ResourceClaimTemplate",
       "DeviceClass",      "ConfigMap",      "ComputeDomain",
       "EC2NodeClass",     "AKSNodeClass",   "NodeClass",
       "ClusterQueue",     "Cohort",         "LocalQueue",
       "ResourceFlavor",   "ServingRuntime", "ClusterServingRuntime",
       "ComputeClass",     "AdmissionCheck", "ProvisioningRequestConfig",
       "MultiKueueConfig", "MachineSet",     "NIMCache",
       "PodTemplate",      "PriorityClass",  "WorkloadPriorityClass"});
  for (const KubernetesObject& object : corpus.objects) {
    const std::string kind = object.kind.value_or("");
    if (is_listed(kinds, kind)) by_kind_[kind].push_back(object.node);
  }
}

std::span<const Node> NamedObjects::of(std::string_view kind) const {
  const auto found = by_kind_.find(kind);
  return found == by_kind_.end() ? std::span<const Node>{} : found->second;
}

Names NamedObjects::names(std::string_view kind, Node user) const {
  const Field<std::string> home = read_string(user.get("metadata"), "namespace");
  Names names;
  for (const Node object : of(kind)) {
    const Node metadata = object.get("metadata");
    const Field<std::string> name = read_string(metadata, "name");
    if (!name.is_known()) return {};
    const Field<std::string> space = read_string(metadata, "namespace");
    if (home.is_known() && space.is_known() && home.value() != space.value()) continue;
    names.push_back({name.value(), name.node()});
  }
  return names;
}

Names NamedObjects::names_elsewhere(std::string_view kind, const Field<std::string>& name,
                                    const Field<std::string>& home) const {
  Names names;
  if (!name.is_known() || !home.is_known()) return names;
  for (const Node object : of(kind)) {
    const Node metadata = object.get("metadata");
    if (!read_string(metadata, "name").equals(name.value())) continue;
    const Field<std::string> space = read_string(metadata, "namespace");
    if (!space.is_known() || space.value() == home.value()) return {};
    names.push_back({space.value() + "/" + name.value(), metadata.get("namespace")});
  }
  return names;
}

}  // namespace gpulint::rules::misspelt_reference
