#include "rules/misspelt-reference/named_objects.h"

#include <algorithm>
#include <array>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"

namespace gpulint::rules::misspelt_reference {
namespace {

[[nodiscard]] std::optional<std::string> stated(const Field<std::string>& name_space) {
  return name_space.is_known() ? std::optional(name_space.value()) : std::nullopt;
}

}  // namespace

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
    if (!is_listed(kinds, kind)) continue;
    Kind& all = by_kind_[kind];
    all.objects.push_back(object.node);
    const Node metadata = object.node.get("metadata");
    const Field<std::string> name = read_string(metadata, "name");
    if (!name.is_known()) {
      all.has_open_names = true;
      continue;
    }
    const std::size_t position = all.names.size();
    all.names.push_back({name.value(), name.node()});
    all.named.push_back(object.node);
    all.by_namespace[stated(read_string(metadata, "namespace"))].push_back(position);
    all.by_name[name.value()].push_back(position);
  }
  for (auto& [kind, all] : by_kind_) {
    if (all.has_open_names) all.names.clear();
  }
}

const NamedObjects::Kind& NamedObjects::find(std::string_view kind) const {
  static const Kind none;
  const auto found = by_kind_.find(kind);
  return found == by_kind_.end() ? none : found->second;
}

std::span<const Node> NamedObjects::of(std::string_view kind) const { return find(kind).objects; }

const Names& NamedObjects::names(std::string_view kind) const { return find(kind).names; }

Names NamedObjects::names(std::string_view kind, Node user) const {
  const Kind& all = find(kind);
  const auto home = stated(read_string(user.get("metadata"), "namespace"));
  if (!home || all.has_open_names) return all.names;
  Positions positions;
  for (const auto& space : {home, std::optional<std::string>()}) {
    const auto found = all.by_namespace.find(space);
    if (found == all.by_namespace.end()) continue;
    positions.insert(positions.end(), found->second.begin(), found->second.end());
  }
  std::ranges::sort(positions);
  Names names;
  for (const std::size_t position : positions) names.push_back(all.names[position]);
  return names;
}

bool NamedObjects::has(std::string_view kind, std::string_view name, Node user) const {
  const Kind& all = find(kind);
  const auto found = all.by_name.find(name);
  if (all.has_open_names || found == all.by_name.end()) return false;
  const auto home = stated(read_string(user.get("metadata"), "namespace"));
  return std::ranges::any_of(found->second, [&](std::size_t position) {
    const Node metadata = all.named[position].get("metadata");
    const auto space = stated(read_string(metadata, "namespace"));
    return !home || !space || *home == *space;
  });
}

Names NamedObjects::names_elsewhere(std::string_view kind, const Field<std::string>& name,
                                    const Field<std::string>& home) const {
  Names names;
  if (!name.is_known() || !home.is_known()) return names;
  const Kind& all = find(kind);
  const auto found = all.by_name.find(name.value());
  if (found == all.by_name.end()) return names;
  for (const std::size_t position : found->second) {
    const Node metadata = all.named[position].get("metadata");
    const Field<std::string> space = read_string(metadata, "namespace");
    if (!space.is_known() || space.value() == home.value()) return {};
    names.push_back({space.value() + "/" + name.value(), metadata.get("namespace")});
  }
  return names;
}

}  // namespace gpulint::rules::misspelt_reference
