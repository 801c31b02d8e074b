#include "compiler/schedule/queued_pods.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/kinds/kueue.h"
#include "compiler/model/pools/pool_fields.h"

namespace gpulint {
namespace {

/// How ClusterQueues use a flavor.
struct FlavorUse {
  bool is_checked = false;  ///< One of them has admission checks or is unknown.
  /// A request for one accelerator for which the flavor has a quota; nullopt if there is none.
  std::optional<ResourceEntry> accelerator;
};

[[nodiscard]] std::optional<ResourceEntry> accelerator_of(const FlavorQuotas& quotas) {
  for (const FlavorQuota& quota : quotas.quotas) {
    if (!quota.resource.is_known() || !is_gpu_resource(quota.resource.value())) continue;
    if (quota.nominal.is_known() && quota.nominal.value().is_zero()) continue;
    return ResourceEntry{{quota.resource.value(), quota.resource.node()},
                         Field<Quantity>::known(Quantity::of(1), quota.node)};
  }
  return std::nullopt;
}

[[nodiscard]] std::map<std::string, FlavorUse> uses_of_flavors(const KueueObjects& kueue) {
  std::map<std::string, FlavorUse> uses;
  for (const ClusterQueue& queue : kueue.cluster_queues) {
    for (const ResourceGroup& group : queue.groups) {
      for (const FlavorQuotas& quotas : group.flavors) {
        if (!quotas.flavor.is_known()) continue;
        FlavorUse& use = uses[quotas.flavor.value()];
        use.is_checked = use.is_checked || queue.has_admission_checks || queue.is_open;
        if (!use.accelerator) use.accelerator = accelerator_of(quotas);
      }
    }
  }
  return uses;
}

[[nodiscard]] Workload pod_of(const ResourceFlavor& flavor, std::optional<ResourceEntry> request) {
  Workload workload;
  workload.origin = Workload::Origin::queued;
  workload.object = flavor.object;
  workload.template_node = flavor.object.get("spec");
  workload.kind = Field<std::string>::known("ResourceFlavor", flavor.object.get("kind"));
  workload.name = flavor.name;
  PodSpec& pod = workload.pod;
  pod.node = workload.template_node;
  pod.node_selector_node = pod.node.get("nodeLabels");
  pod.node_selector = flavor.node_labels;
  pod.tolerations_opaque = true;
  if (request) {
    Container container;
    container.resources.limits.push_back(*std::move(request));
    pod.containers.push_back(std::move(container));
  }
  return workload;
}

/// The flavors that Kueue may assign to a workload.
struct Choice {
  std::vector<const ResourceFlavor*> certain;  ///< It is admitted with these or not at all.
  std::vector<const ResourceFlavor*> others;   ///< It receives some of these.
};

/// The names of flavors, and whether the workload is admitted with this one or not at all.
using FlavorNames = std::set<std::pair<std::string, bool>>;

/// False if a flavor of the group is unknown, or if it has none.
[[nodiscard]] bool add_flavors(const ResourceGroup& group, bool is_certain, FlavorNames& names) {
  for (const FlavorQuotas& quotas : group.flavors) {
    if (!quotas.flavor.is_known()) return false;
    names.emplace(quotas.flavor.value(), is_certain);
  }
  return !group.flavors.empty();
}

/// The flavors of the group that covers the resource. For one that the queue does not cover, all
/// flavors are possible: Kueue's configuration can turn it into another resource
/// (`resources.transformations`).
[[nodiscard]] bool add_flavors_for(std::string_view resource, const ClusterQueue& queue,
                                   FlavorNames& names) {
  const ResourceGroup* const group = queue.find_group(resource);
  if (group != nullptr) return add_flavors(*group, group->flavors.size() == 1, names);
  return std::ranges::all_of(
      queue.groups, [&](const ResourceGroup& each) { return add_flavors(each, false, names); });
}

/// nullopt if a flavor is unknown.
[[nodiscard]] std::optional<Choice> choose_flavors(const KueueObjects& kueue,
                                                   const ClusterQueue& queue, const PodSpec& pod) {
  FlavorNames names;
  for (const Container& container : pod.containers) {
    if (container.resources.opaque) return std::nullopt;
    for (const auto* entries : {&container.resources.limits, &container.resources.requests}) {
      for (const ResourceEntry& entry : *entries) {
        if (!add_flavors_for(entry.name.value, queue, names)) return std::nullopt;
      }
    }
  }
  Choice choice;
  for (const auto& [name, is_certain] : names) {
    const ResourceFlavor* const flavor = kueue.find_flavor(name);
    if (flavor == nullptr) return std::nullopt;
    (is_certain ? choice.certain : choice.others).push_back(flavor);
  }
  return choice;
}

/// False if the pod has a label of the flavor with another value: Kueue does not admit it
/// (pkg/podset, Merge).
[[nodiscard]] bool add(const ResourceFlavor& flavor, PodSpec& pod) {
  for (const LabelEntry& label : flavor.node_labels) {
    const auto own = std::ranges::find_if(pod.node_selector, [&](const LabelEntry& entry) {
      return entry.key.value == label.key.value;
    });
    if (own == pod.node_selector.end()) {
      pod.node_selector.push_back(label);
    } else if (!own->value.is_known() || !label.value.is_known() ||
               own->value.value() != label.value.value()) {
      return false;
    }
  }
  std::ranges::copy(flavor.tolerations, std::back_inserter(pod.tolerations));
  return true;
}

/// The names of the admission checks that create nodes of pools.
[[nodiscard]] std::set<std::string> provisioning_checks(const ScopeModel& model) {
  std::set<std::string> names;
  for (const KubernetesObject& object : model.objects) {
    if (object.kind.equals("AdmissionCheck") &&
        read_string(object.node.get("spec"), "controllerName")
            .equals("kueue.x-k8s.io/provisioning-request")) {
      names.insert(object_name(object.node));
    }
  }
  return names;
}

/// Whether all admission checks of the queue use ProvisioningRequests, which only create nodes of
/// pools. The pods then run on this cluster.
[[nodiscard]] bool are_checks_provisioning(const std::set<std::string>& provisioning,
                                           const ClusterQueue& queue) {
  const Node spec = queue.object.get("spec");
  const std::vector<Node> names = spec.get("admissionChecks").items();
  if (spec.get("admissionChecksStrategy") || names.empty()) return false;
  return std::ranges::all_of(
      names, [&](Node name) { return provisioning.contains(read_string(name).value_or("")); });
}

/// Whether a known pool has each label that the pod selects, so no unknown pool is meant.
[[nodiscard]] bool is_selected(const Cluster& cluster, const PodSpec& pod) {
  const auto has = [](const NodePool& pool, const LabelEntry& wanted) {
    const PoolLabel* const label = find_label(pool, wanted.key.value);
    return wanted.value.is_known() && label != nullptr && label->known == PoolLabel::Known::exact &&
           label->values.front() == wanted.value.value();
  };
  return pod.node_selector.size() > 1 &&
         std::ranges::any_of(cluster.pools, [&](const NodePool& pool) {
           return std::ranges::all_of(pod.node_selector,
                                      [&](const LabelEntry& wanted) { return has(pool, wanted); });
         });
}

[[nodiscard]] std::optional<Workload> let_in(const ScopeModel& model, const KueueObjects& kueue,
                                             const std::set<std::string>& provisioning,
                                             const Workload& workload) {
  if (workload.origin != Workload::Origin::manifest || workload.pod.node.get("schedulingGates")) {
    return std::nullopt;
  }
  const ClusterQueue* const queue = kueue.queue_of(workload);
  if (queue == nullptr || queue->is_open) return std::nullopt;
  const bool is_provisioned = queue->has_admission_checks;
  if (is_provisioned && !are_checks_provisioning(provisioning, *queue)) return std::nullopt;
  const auto choice = choose_flavors(kueue, *queue, workload.pod);
  if (!choice || (choice->certain.empty() && choice->others.empty())) return std::nullopt;
  Workload changed = workload;
  changed.origin = Workload::Origin::queued;
  for (const ResourceFlavor* const flavor : choice->certain) {
    if (!add(*flavor, changed.pod)) return std::nullopt;
  }
  // All tolerations at once: a pod that fits no node with them fits none with one flavor.
  for (const ResourceFlavor* const flavor : choice->others) {
    std::ranges::copy(flavor->tolerations, std::back_inserter(changed.pod.tolerations));
  }
  if (is_provisioned && !is_selected(model.cluster, changed.pod)) return std::nullopt;
  return changed;
}

}  // namespace

std::deque<Workload> find_queued_pods(const ScopeModel& model) {
  std::deque<Workload> pods;
  const KueueObjects kueue = read_kueue(model.objects);
  std::map<std::string, FlavorUse> uses = uses_of_flavors(kueue);
  for (const ResourceFlavor& flavor : kueue.flavors) {
    const FlavorUse& use = uses[flavor.name];
    if (flavor.node_labels.empty() || use.is_checked) continue;
    pods.push_back(pod_of(flavor, use.accelerator));
  }
  if (kueue.local_queues.empty()) return pods;
  const std::set<std::string> provisioning = provisioning_checks(model);
  for (const Workload& workload : model.workloads) {
    if (auto changed = let_in(model, kueue, provisioning, workload))
      pods.push_back(*std::move(changed));
  }
  return pods;
}

bool is_flavor(const Workload& workload) {
  return workload.origin == Workload::Origin::queued && workload.kind.equals("ResourceFlavor");
}

}  // namespace gpulint
