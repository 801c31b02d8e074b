#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/model/objects.h"
#include "compiler/model/quantity.h"
#include "compiler/model/workload.h"

namespace gpulint {

// Kueue's objects (kueue.x-k8s.io v1beta1, v1beta2; kubernetes-sigs/kueue apis/kueue), as written.
// Nothing is checked here.

/// A ResourceFlavor. Kueue adds `nodeLabels` to the node selector and `tolerations` to the
/// tolerations of pods that it admits with the flavor (pkg/podset FromAssignment, Merge). It admits
/// no pods that do not tolerate `nodeTaints`.
struct ResourceFlavor {
  Node object;
  std::string name;
  std::vector<LabelEntry> node_labels;
  std::vector<Toleration> tolerations;
};

/// The quota of one resource in a flavor of a ClusterQueue.
struct FlavorQuota {
  Node node;  ///< The entry of `resources`.
  Field<std::string> resource;
  Field<Quantity> nominal;
  Field<Quantity> borrowing_limit;
};

struct FlavorQuotas {
  Node node;  ///< The entry of `flavors`.
  Field<std::string> flavor;
  std::vector<FlavorQuota> quotas;
  bool is_open = false;  ///< An entry of `resources` is opaque.
};

struct ResourceGroup {
  Node node;
  std::vector<Field<std::string>> covered;
  std::vector<FlavorQuotas> flavors;
  bool is_open = false;  ///< A part of it is opaque.

  [[nodiscard]] bool covers(std::string_view resource) const;
};

struct ClusterQueue {
  Node object;
  std::string name;
  std::vector<ResourceGroup> groups;
  Field<std::string> cohort;  ///< `cohort` (v1beta1) or `cohortName` (v1beta2).
  /// An admission check decides before a workload is admitted; it may send the workload to another
  /// cluster (MultiKueue) or create nodes for it (ProvisioningRequest).
  bool has_admission_checks = false;
  bool is_open = false;  ///< Its groups are opaque, or have another form.

  /// The group that covers the resource; null if none does.
  [[nodiscard]] const ResourceGroup* find_group(std::string_view resource) const;
};

struct LocalQueue {
  Node object;
  std::string name;
  Field<std::string> name_space;
  Field<std::string> cluster_queue;
};

/// Kueue's objects of a scope, in order; objects with an opaque name are left out.
struct KueueObjects {
  std::vector<ResourceFlavor> flavors;
  std::vector<ClusterQueue> cluster_queues;
  std::vector<LocalQueue> local_queues;
  bool has_open_names = false;

  /// The only one with this name; null if there is none, or several.
  [[nodiscard]] const ResourceFlavor* find_flavor(std::string_view name) const;
  [[nodiscard]] const ClusterQueue* find_cluster_queue(std::string_view name) const;
  /// The queue that the workload names; null if there is none, or several.
  [[nodiscard]] const LocalQueue* local_queue_of(const Workload& workload) const;
  /// That queue's ClusterQueue.
  [[nodiscard]] const ClusterQueue* queue_of(const Workload& workload) const;

  /// Indexes by name: a scope may have as many queues as workloads.
  using Index = std::map<std::string, std::vector<std::size_t>, std::less<>>;
  Index flavors_by_name;
  Index cluster_queues_by_name;
  Index local_queues_by_name;
};
[[nodiscard]] KueueObjects read_kueue(std::span<const KubernetesObject> objects);

/// The name of the workload's LocalQueue: the label `kueue.x-k8s.io/queue-name` of the object or
/// its pods. Absent if it has no queue.
[[nodiscard]] Field<std::string> queue_name(const Workload& workload);
/// The annotation with which releases before 0.15 also accepted the name; null if there is none, or
/// a label.
[[nodiscard]] Node queue_annotation(const Workload& workload);

}  // namespace gpulint
