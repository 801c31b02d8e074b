#include "compiler/model/kinds/namespace_limits.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

/// Adds those of `more` that `entries` does not have.
void add_missing(const std::vector<ResourceEntry>& more, std::vector<ResourceEntry>& entries) {
  for (const ResourceEntry& entry : more) {
    if (find_entry(entries, entry.name.value) == nullptr) entries.push_back(entry);
  }
}

/// A limit that a container states is also its request.
void add_defaults(ContainerDefaults defaults, ResourceRequirements& resources) {
  std::erase_if(defaults.requests, [&](const ResourceEntry& entry) {
    return find_entry(resources.limits, entry.name.value) != nullptr;
  });
  add_missing(defaults.requests, resources.requests);
  add_missing(defaults.limits, resources.limits);
}

}  // namespace

void LimitObjects::add(Node object) {
  all_.push_back(object);
  const Field<std::string> home = read_string(object.get("metadata"), "namespace");
  if (!home.is_known()) open_.push_back(object);
  if (!home.is_known() && !home.is_absent()) return;
  const auto key = home.is_known() ? std::optional(home.value()) : std::nullopt;
  by_namespace_[key].push_back(object);
  by_name_[key].emplace(object_name(object), object);
}

std::vector<Node> LimitObjects::of(Node object) const {
  const Field<std::string> home = read_string(object.get("metadata"), "namespace");
  if (!home.is_known() && !home.is_absent()) return {};
  const auto key = home.is_known() ? std::optional(home.value()) : std::nullopt;
  const auto found = by_namespace_.find(key);
  if (found == by_namespace_.end()) return {};
  const Names& names = by_name_.at(key);
  std::vector<Node> certain;
  std::ranges::copy_if(found->second, std::back_inserter(certain),
                       [&](Node one) { return names.count(object_name(one)) == 1; });
  return certain;
}

std::vector<Node> LimitObjects::maybe_of(Node object) const {
  const Field<std::string> home = read_string(object.get("metadata"), "namespace");
  if (!home.is_known()) return all_;
  std::vector<Node> found = open_;
  const auto own = by_namespace_.find(home.value());
  if (own != by_namespace_.end()) std::ranges::copy(own->second, std::back_inserter(found));
  return found;
}

LimitObjects find_limit_ranges(const std::vector<KubernetesObject>& objects) {
  LimitObjects ranges;
  for (const KubernetesObject& object : objects) {
    if (object.kind.equals("LimitRange")) ranges.add(object.node);
  }
  return ranges;
}

ContainerDefaults container_defaults(Node range) {
  ContainerDefaults defaults;
  for (const Node item : range.at("spec", "limits").items()) {
    if (item.get("type").text() != "Container") continue;
    ContainerDefaults own{read_resource_list(item.get("default")),
                          read_resource_list(item.get("defaultRequest"))};
    add_missing(read_resource_list(item.get("max")), own.limits);
    add_missing(own.limits, own.requests);
    add_missing(read_resource_list(item.get("min")), own.requests);
    add_missing(own.limits, defaults.limits);
    add_missing(own.requests, defaults.requests);
  }
  return defaults;
}

Node limit_range_of(Node amount) {
  Node at = amount;
  while (at && at.get("kind").text() != "LimitRange") at = at.parent();
  return at;
}

std::string remedy_for_default(std::string_view resource) {
  return fmt::format(
      "set your own amount of `{}` in the containers, or change the default in the LimitRange",
      resource);
}

bool has_open_resources(const Container& container) {
  return container.resources.opaque ||
         any_below(container.resources.node, [](Node at) { return at.is_opaque(); });
}

void add_limit_defaults(const LimitObjects& ranges, Workload& workload) {
  const bool is_older = workload.kind.equals("Pod") &&
                        (workload.pod.node_name.is_known() || workload.object.get("status"));
  if (workload.pod.pod_resources.node || is_older) return;
  for (const Node range : ranges.of(workload.object)) {
    const ContainerDefaults defaults = container_defaults(range);
    for (Container& container : workload.pod.containers) {
      const bool is_filled_later =
          has_open_resources(container) || (!has_plain_pods(workload) && !container.resources.node);
      if (container.kind == ContainerKind::ephemeral || is_filled_later) continue;
      add_defaults(defaults, container.resources);
    }
  }
}

}  // namespace gpulint
