#include "compiler/model/kinds/kueue.h"

#include <algorithm>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

constexpr std::string_view queue_label = "kueue.x-k8s.io/queue-name";

/// A scalar placeholder instead of a list or mapping.
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

/// The only matching one with this name; null if there is none, or several.
template <class Named, class Matches>
[[nodiscard]] const Named* find_only(const std::vector<Named>& all,
                                     const KueueObjects::Index& index, std::string_view name,
                                     const Matches& matches) {
  const auto named = index.find(name);
  if (named == index.end()) return nullptr;
  const Named* found = nullptr;
  for (const std::size_t i : named->second) {
    if (!matches(all[i])) continue;
    if (found != nullptr) return nullptr;
    found = &all[i];
  }
  return found;
}

[[nodiscard]] bool matches_all(const auto& /*object*/) { return true; }

template <class Named>
void index_names(const std::vector<Named>& all, KueueObjects::Index& index) {
  for (std::size_t i = 0; i < all.size(); ++i) index[all[i].name].push_back(i);
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
  return find_only(flavors, flavors_by_name, name, matches_all<ResourceFlavor>);
}

const ClusterQueue* KueueObjects::find_cluster_queue(std::string_view name) const {
  return find_only(cluster_queues, cluster_queues_by_name, name, matches_all<ClusterQueue>);
}

const LocalQueue* KueueObjects::local_queue_of(const Workload& workload) const {
  const Field<std::string> name = queue_name(workload);
  if (!name.is_known()) return nullptr;
  const Field<std::string> space = read_string(workload.object.get("metadata"), "namespace");
  const auto may_share_namespace = [&](const LocalQueue& queue) {
    return !space.is_known() || !queue.name_space.is_known() ||
           space.value() == queue.name_space.value();
  };
  return find_only(local_queues, local_queues_by_name, name.value(), may_share_namespace);
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
  index_names(found.flavors, found.flavors_by_name);
  index_names(found.cluster_queues, found.cluster_queues_by_name);
  index_names(found.local_queues, found.local_queues_by_name);
  return found;
}

Node queue_annotation(const Workload& workload) {
  return queue_name(workload).is_absent()
             ? workload.object.at("metadata", "annotations").get(queue_label)
             : Node{};
}

Field<std::string> queue_name(const Workload& workload) {
  const Node metadata = workload.object.get("metadata");
  for (const Node map : {metadata.get("labels"), workload.template_node.at("metadata", "labels")}) {
    const Field<std::string> name = read_string(map, queue_label);
    if (!name.is_absent()) return name;
  }
  return {};
}

}  // namespace gpulint
