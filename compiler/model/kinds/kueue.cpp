#include "compiler/model/kinds/kueue.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

constexpr std::string_view queue_label = "kueue.x-k8s.io/queue-name";

/// A scalar placeholder where a list or mapping is due.
[[nodiscard]] bool is_filled_in_later(Node node) { return node.is_scalar() && node.is_opaque(); }

[[nodiscard]] FlavorQuotas read_quotas(Node entry) {
  FlavorQuotas quotas{.node = entry, .flavor = read_string(entry, "name"), .quotas = {}};
  const Node resources = entry.get("resources");
  quotas.is_open = is_filled_in_later(resources);
  for (const Node item : resources.items()) {
    quotas.is_open = quotas.is_open || !item.is_mapping();
    quotas.quotas.push_back({item, read_string(item, "name"),
                             read_quantity(item.get("nominalQuota")),
                             read_quantity(item.get("borrowingLimit"))});
  }
  return quotas;
}

[[nodiscard]] ResourceGroup read_group(Node node) {
  ResourceGroup group{.node = node, .covered = {}, .flavors = {}};
  const Node covered = node.get("coveredResources");
  const Node flavors = node.get("flavors");
  group.is_open = is_filled_in_later(covered) || is_filled_in_later(flavors);
  for (const Node item : covered.items()) {
    group.covered.push_back(read_string(item));
    group.is_open = group.is_open || !group.covered.back().is_known();
  }
  for (const Node item : flavors.items()) {
    group.flavors.push_back(read_quotas(item));
    group.is_open = group.is_open || group.flavors.back().is_open;
  }
  return group;
}

[[nodiscard]] ClusterQueue read_cluster_queue(Node object, std::string name) {
  const Node spec = object.get("spec");
  ClusterQueue queue{.object = object, .name = std::move(name), .groups = {}, .cohort = {}};
  const Node groups = spec.get("resourceGroups");
  queue.is_open = !groups.is_sequence();
  for (const Node item : groups.items()) {
    queue.groups.push_back(read_group(item));
    queue.is_open = queue.is_open || queue.groups.back().is_open;
  }
  queue.cohort = read_string(spec, spec.get("cohortName") ? "cohortName" : "cohort");
  queue.has_admission_checks = spec.get("admissionChecks") || spec.get("admissionChecksStrategy");
  return queue;
}

/// The only one that matches; null where none does, or several do.
template <class Named, class Matches>
[[nodiscard]] const Named* find_only(const std::vector<Named>& all, const Matches& matches) {
  const auto found = std::ranges::find_if(all, matches);
  const bool is_only =
      found != all.end() && std::find_if(std::next(found), all.end(), matches) == all.end();
  return is_only ? &*found : nullptr;
}

[[nodiscard]] auto is_named(std::string_view name) {
  return [name](const auto& object) { return object.name == name; };
}

}  // namespace

bool ResourceGroup::covers(std::string_view resource) const {
  return std::ranges::any_of(covered, [&](const Field<std::string>& name) {
    return name.is_known() && name.value() == resource;
  });
}

const ResourceGroup* ClusterQueue::find_group(std::string_view resource) const {
  const auto found = std::ranges::find_if(
      groups, [&](const ResourceGroup& group) { return group.covers(resource); });
  return found == groups.end() ? nullptr : &*found;
}

const ResourceFlavor* KueueObjects::find_flavor(std::string_view name) const {
  return find_only(flavors, is_named(name));
}

const ClusterQueue* KueueObjects::find_cluster_queue(std::string_view name) const {
  return find_only(cluster_queues, is_named(name));
}

const LocalQueue* KueueObjects::local_queue_of(const Workload& workload) const {
  const Field<std::string> name = queue_name(workload);
  if (!name.is_known()) return nullptr;
  const Field<std::string> space = read_string(workload.object.get("metadata"), "namespace");
  return find_only(local_queues, [&](const LocalQueue& queue) {
    const bool is_elsewhere = space.is_known() && queue.name_space.is_known() &&
                              space.value() != queue.name_space.value();
    return queue.name == name.value() && !is_elsewhere;
  });
}

const ClusterQueue* KueueObjects::queue_of(const Workload& workload) const {
  const LocalQueue* const local = local_queue_of(workload);
  const bool is_known = local != nullptr && local->cluster_queue.is_known();
  return is_known ? find_cluster_queue(local->cluster_queue.value()) : nullptr;
}

KueueObjects read_kueue(std::span<const KubernetesObject> objects) {
  KueueObjects found;
  for (const KubernetesObject& object : objects) {
    if (!object.api_version.value_or("").starts_with("kueue.x-k8s.io/")) continue;
    const Node metadata = object.node.get("metadata");
    const Field<std::string> name = read_string(metadata, "name");
    const Node spec = object.node.get("spec");
    const bool is_flavor = object.kind.equals("ResourceFlavor");
    const bool is_queue = object.kind.equals("ClusterQueue");
    const bool is_local = object.kind.equals("LocalQueue");
    if (!name.is_known()) {
      found.has_open_names = found.has_open_names || is_flavor || is_queue || is_local;
      continue;
    }
    if (is_flavor) {
      found.flavors.push_back({object.node, name.value(), read_string_map(spec.get("nodeLabels")),
                               read_tolerations(spec.get("tolerations"))});
    } else if (is_queue) {
      found.cluster_queues.push_back(read_cluster_queue(object.node, name.value()));
    } else if (is_local) {
      found.local_queues.push_back({object.node, name.value(), read_string(metadata, "namespace"),
                                    read_string(spec, "clusterQueue")});
    }
  }
  return found;
}

Field<std::string> queue_name(const Workload& workload) {
  const Node metadata = workload.object.get("metadata");
  for (const Node map : {metadata.get("labels"), metadata.get("annotations"),
                         workload.template_node.at("metadata", "labels")}) {
    const Field<std::string> name = read_string(map, queue_label);
    if (!name.is_absent()) return name;
  }
  return {};
}

}  // namespace gpulint
