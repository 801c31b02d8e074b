#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/field.h"
#include "compiler/ir/read.h"
#include "compiler/model/declared_kinds.h"
#include "compiler/model/kinds/kueue.h"
#include "compiler/model/pod_count.h"
#include "compiler/model/read_pod.h"
#include "compiler/model/scope/scope_model.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/pod_requests.h"
#include "compiler/schedule/terms.h"
#include "compiler/schedule/tolerate.h"

namespace gpulint {
namespace {

/// The label that Kubernetes sets on each namespace.
constexpr std::string_view name_label = "kubernetes.io/metadata.name";

/// The known labels of a namespace.
struct NamespaceLabels {
  std::string name;
  Node labels;            ///< Null if it has none, or is not an input.
  bool is_given = false;  ///< Its Namespace is among the inputs.
};

/// The Namespaces of a scope by name.
class Namespaces {
 public:
  explicit Namespaces(const ScopeModel& model) {
    for (const KubernetesObject& object : model.objects) {
      if (!object.kind.equals("Namespace")) continue;
      const Node metadata = object.node.get("metadata");
      const Field<std::string> name = read_string(metadata, "name");
      has_open_names_ = has_open_names_ || !name.is_known();
      if (name.is_known()) labels_[name.value()].push_back(metadata.get("labels"));
    }
  }

  /// nullopt if the labels are unknown.
  [[nodiscard]] std::optional<NamespaceLabels> find(const std::string& name) const {
    if (has_open_names_) return std::nullopt;
    const auto found = labels_.find(name);
    if (found == labels_.end()) return NamespaceLabels{.name = name, .labels = {}};
    if (found->second.size() > 1) return std::nullopt;  // unknown which one applies
    const Node labels = found->second.front();
    if (any_below(labels, [](Node at) { return at.is_opaque(); })) return std::nullopt;
    return NamespaceLabels{.name = name, .labels = labels, .is_given = true};
  }

 private:
  std::map<std::string, std::vector<Node>> labels_;
  bool has_open_names_ = false;
};

/// A requirement of the selector that the namespace does not meet.
struct Unmet {
  Node where;
  std::string key;
  bool is_certain = false;  ///< The label exists with another value.
};

[[nodiscard]] bool contains(const SelectorRequirement& requirement, const std::string& value) {
  return std::ranges::any_of(requirement.values, [&](const Field<std::string>& each) {
    return !each.is_known() || each.value() == value;
  });
}

[[nodiscard]] std::optional<Unmet> find_unmet(const SelectorRequirement& requirement,
                                              const NamespaceLabels& space) {
  if (!requirement.key.is_known() || !requirement.op.is_known()) return std::nullopt;
  const std::string& key = requirement.key.value();
  const std::string& op = requirement.op.value();
  const bool is_name = key == name_label;
  const Node label = space.labels.get(key);
  if (!is_name && !label) {  // it may have been labelled since
    const bool requires_label = space.is_given && (op == "In" || op == "Exists");
    return requires_label ? std::optional(Unmet{requirement.node, key}) : std::nullopt;
  }
  const std::string value = is_name ? space.name : std::string(label.text());
  const bool is_unmet = (op == "In" && !contains(requirement, value)) ||
                        (op == "NotIn" && contains(requirement, value)) || op == "DoesNotExist";
  return is_unmet ? std::optional(Unmet{requirement.node, key, true}) : std::nullopt;
}

[[nodiscard]] std::optional<Unmet> find_unmet(Node selector, const NamespaceLabels& space) {
  std::vector<SelectorRequirement> all =
      read_selector_requirements(selector.get("matchExpressions"));
  for (const LabelEntry& label : read_string_map(selector.get("matchLabels"))) {
    if (!label.value.is_known()) continue;
    all.push_back({.node = label.value.node(),
                   .key = Field<std::string>::known(label.key.value),
                   .op = Field<std::string>::known("In"),
                   .values = {label.value}});
  }
  std::optional<Unmet> found;
  for (const SelectorRequirement& requirement : all) {
    const std::optional<Unmet> unmet = find_unmet(requirement, space);
    if (unmet && (!found || unmet->is_certain)) found = unmet;
  }
  return found;
}

void check_selector(const Namespaces& namespaces, Obstacles& obstacles, const ClusterQueue& queue,
                    const LocalQueue& local) {
  const Node selector = queue.object.at("spec", "namespaceSelector");
  if (!local.name_space.is_known() || !selector.is_mapping()) return;
  const auto space = namespaces.find(local.name_space.value());
  const auto unmet = space ? find_unmet(selector, *space) : std::nullopt;
  if (!unmet) return;
  const Node label = space->labels.get(unmet->key);
  Obstacle& obstacle = obstacles.add(
      unmet->where, "ClusterQueue `{}` does not select namespace `{}` of LocalQueue `{}`",
      queue.name, space->name, local.name);
  obstacle
      .related(label ? label : local.name_space.node(),
               label ? "this label of the namespace does not match the selector"
                     : "the selector does not match this namespace")
      .help(
          "{} in `namespaceSelector`{}. Otherwise the ClusterQueue admits no workloads from this "
          "namespace",
          unmet->key == name_label ? fmt::format("allow `{}` for `{}`", space->name, unmet->key)
                                   : fmt::format("correct `{}`", unmet->key),
          unmet->key == name_label ? ""
          : label                  ? ", or correct the label of the namespace"
                                   : ", or add a matching label to the namespace");
  if (!unmet->is_certain) obstacle.assume();
}

/// The quotas that the queues of each cohort can lend each other.
class Cohorts {
 public:
  Cohorts(const ScopeModel& model, const KueueObjects& kueue);

  /// The quota of a flavor's resource in all queues of the queue's cohort together. nullopt if an
  /// amount is unknown, or unless the inputs have the Cohort once, without parent and own quotas.
  [[nodiscard]] std::optional<std::int64_t> sum(const ClusterQueue& queue,
                                                const std::string& flavor,
                                                const std::string& resource) const;

 private:
  struct Sum {
    std::int64_t amount = 0;
    bool is_open = false;
  };
  struct Cohort {
    int objects = 0;  ///< Cohorts of this name.
    bool is_plain = true;
    bool is_open = false;                                     ///< One of its queues is unknown.
    std::map<std::pair<std::string, std::string>, Sum> sums;  ///< By flavor and resource.
  };

  void add(const ClusterQueue& queue);

  bool is_open_ = false;  // the name of a Cohort, or the cohort of a queue, is unknown
  std::map<std::string, Cohort> cohorts_;
};

/// The largest amount of a resource in a flavor of the group: its quota and what it can borrow.
struct LargestQuota {
  std::int64_t amount = 0;  ///< In the unit of PodRequest.
  Node node;
  bool is_of_cohort = false;  ///< Bounded only by the known queues of the cohort.
  std::int64_t borrowed = 0;  ///< The part above the queue's own quota.
};

[[nodiscard]] bool is_in_cohort(const ClusterQueue& queue) {
  return !queue.cohort.is_absent() && !queue.cohort.equals("");
}

/// The most that the flavor allows; nullopt if unknown.
[[nodiscard]] std::optional<std::int64_t> capacity(const Cohorts& cohorts,
                                                   const ClusterQueue& queue,
                                                   const Field<std::string>& flavor,
                                                   const FlavorQuota& quota) {
  if (!quota.nominal.is_known()) return std::nullopt;
  const std::string& resource = quota.resource.value();
  if (!is_in_cohort(queue)) return count_of(resource, quota.nominal.value());
  // In a cohort only the limit and the quotas of the others bound what it borrows.
  if (quota.borrowing_limit.is_known()) {
    return count_of(resource, quota.nominal.value() + quota.borrowing_limit.value());
  }
  if (!quota.borrowing_limit.is_absent() || !flavor.is_known()) return std::nullopt;
  return cohorts.sum(queue, flavor.value(), resource);
}

Cohorts::Cohorts(const ScopeModel& model, const KueueObjects& kueue) {
  for (const KubernetesObject& object : model.objects) {
    const bool is_cohort = object.kind.equals("Cohort") &&
                           object.api_version.value_or("").starts_with("kueue.x-k8s.io/");
    if (!is_cohort) continue;
    const Field<std::string> name = read_string(object.node.get("metadata"), "name");
    if (!name.is_known()) {
      is_open_ = true;
      continue;
    }
    const Node spec = object.node.get("spec");
    Cohort& cohort = cohorts_[name.value()];
    ++cohort.objects;
    cohort.is_plain = !spec.is_opaque() && !spec.get("parentName") && !spec.get("parent") &&
                      !spec.get("resourceGroups");
  }
  for (const ClusterQueue& queue : kueue.cluster_queues) add(queue);
}

/// The names of all resources that the queue covers.
[[nodiscard]] std::vector<std::string> covered_by(const ClusterQueue& queue) {
  std::vector<std::string> names;
  for (const ResourceGroup& group : queue.groups) {
    for (const Field<std::string>& name : group.covered) names.push_back(name.value_or(""));
  }
  return names;
}

/// Whether the resource certainly has no quota. Kueue's configuration can turn extended resources
/// into others (`resources.transformations`), and exclude some.
[[nodiscard]] bool is_surely_uncovered(const ClusterQueue& queue, std::string_view resource) {
  const std::vector<std::string> covered = covered_by(queue);
  return resource.find('/') == resource.npos ||
         std::ranges::none_of(
             covered, [](const std::string& name) { return name.find('/') != std::string::npos; });
}

/// How many pods of the template Kueue admits together: all of a job or cluster, one if it queues
/// each pod (Deployment, Pod). nullopt if unknown, or if fewer are enough.
[[nodiscard]] std::optional<std::int64_t> pods_of_workload(const Workload& workload) {
  if (workload.kind.equals("Deployment") || workload.kind.equals("Pod")) return 1;
  // With these, Kueue starts with fewer pods.
  constexpr std::string_view partial = "kueue.x-k8s.io/job-min-parallelism";
  constexpr std::string_view elastic = "kueue.x-k8s.io/elastic-job";
  for (const Node map :
       {workload.object.at("metadata", "annotations"), workload.object.at("metadata", "labels")}) {
    if (map.get(partial) || map.get(elastic)) return std::nullopt;
  }
  auto pods = concurrent_pods(workload).pods;
  const Field<std::int64_t> completions = read_int(workload.object.get("spec"), "completions");
  if (pods && workload.kind.equals("Job") && completions.is_known()) {
    pods = std::min(*pods, completions.value());
  }
  return pods;
}

/// nullopt if a quota, or what a flavor can borrow, is unknown.
[[nodiscard]] std::optional<LargestQuota> largest_quota(const Cohorts& cohorts,
                                                        const ClusterQueue& queue,
                                                        const ResourceGroup& group,
                                                        std::string_view resource) {
  std::optional<LargestQuota> largest;
  for (const FlavorQuotas& flavor : group.flavors) {
    for (const FlavorQuota& quota : flavor.quotas) {
      if (!quota.resource.is_known()) return std::nullopt;
      if (quota.resource.value() != resource) continue;
      const auto amount = capacity(cohorts, queue, flavor.flavor, quota);
      if (!amount) return std::nullopt;
      if (!largest || *amount > largest->amount) {
        const bool is_lent = is_in_cohort(queue) && quota.borrowing_limit.is_absent();
        const std::int64_t borrowed = *amount - count_of(resource, quota.nominal.value());
        largest = {*amount, quota.nominal.node(), is_lent, borrowed};
      }
    }
  }
  return largest;
}

/// The values of the label in the group's flavors; empty if one does not have it or is unknown.
[[nodiscard]] std::vector<Value<std::string>> values_in_flavors(const KueueObjects& kueue,
                                                                const ResourceGroup& group,
                                                                std::string_view key) {
  std::vector<Value<std::string>> values;
  for (const FlavorQuotas& quotas : group.flavors) {
    if (!quotas.flavor.is_known()) return {};
    const ResourceFlavor* const flavor = kueue.find_flavor(quotas.flavor.value());
    if (flavor == nullptr) return {};
    const auto label = std::ranges::find_if(
        flavor->node_labels, [&](const LabelEntry& entry) { return entry.key.value == key; });
    if (label == flavor->node_labels.end() || !label->value.is_known()) return {};
    values.push_back({label->value.value(), label->value.node()});
  }
  return values;
}

[[nodiscard]] Node name_of(const ClusterQueue& queue) {
  return queue.object.at("metadata", "name");
}

void report_uncovered(Obstacles& obstacles, const Workload& workload, const ClusterQueue& queue,
                      const PodRequest& request) {
  obstacles
      .add(request.node, "{} requests `{}`, but ClusterQueue `{}` has no quota for this resource",
           describe(workload), request.name, queue.name)
      .related(name_of(queue), fmt::format("this queue covers only {}", list(covered_by(queue))))
      .help(
          "add `{}` to `coveredResources` and to each flavor, or request a covered resource. "
          "Otherwise Kueue never admits the workload",
          request.name);
}

/// More than any flavor has, even if the queue is empty.
void check_amount(Obstacles& obstacles, const Cohorts& cohorts, const Workload& workload,
                  const ClusterQueue& queue, const ResourceGroup& group,
                  const PodRequest& request) {
  const auto pods = pods_of_workload(workload);
  const auto largest = largest_quota(cohorts, queue, group, request.name);
  if (request.is_open || !pods || !largest || request.amount * *pods <= largest->amount) return;
  const std::string amount = amount_text(request.name, request.amount * *pods);
  const std::string demand =
      *pods == 1 ? fmt::format("{} requests {} `{}`", describe(workload), amount, request.name)
                 : fmt::format("{} requests {} `{}` for its {} pods", describe(workload), amount,
                               request.name, *pods);
  Obstacle& obstacle =
      obstacles.add(request.node, "{}, but ClusterQueue `{}` can use at most {}", demand,
                    queue.name, amount_text(request.name, largest->amount));
  obstacle
      .related(largest->node, largest->borrowed > 0
                                  ? fmt::format("the queue's own quota, and the queue can borrow "
                                                "{} more",
                                                amount_text(request.name, largest->borrowed))
                                  : std::string("the largest quota of the queue"))
      .help("request less, or raise `nominalQuota`{}. Otherwise Kueue never admits the workload",
            is_in_cohort(queue) ? "" : fmt::format(" to at least {}", amount));
  // Other queues may be in the cohort.
  if (largest->is_of_cohort) obstacle.assume();
}

/// A label of the pod's nodeSelector that each flavor sets to another value.
void check_labels(Obstacles& obstacles, const Workload& workload, const KueueObjects& kueue,
                  const ResourceGroup& group) {
  for (const LabelEntry& wanted : workload.pod.node_selector) {
    const auto values = values_in_flavors(kueue, group, wanted.key.value);
    if (!wanted.value.is_known() || values.empty() ||
        std::ranges::find(values, wanted.value.value(), &Value<std::string>::value) !=
            values.end()) {
      continue;
    }
    std::vector<std::string> names;
    for (const Value<std::string>& value : values) names.push_back(value.value);
    obstacles
        .add(wanted.value.node(), "{} requires `{}={}`, but no flavor of its queue has this value",
             describe(workload), wanted.key.value, wanted.value.value())
        .related(values.front().node, "a flavor of the queue has this value")
        .help(
            "use a value of a flavor ({}), or remove the label from `nodeSelector`. Otherwise "
            "Kueue never admits the workload",
            list(names));
  }
}

/// Whether ExtendedResourceToleration may add a toleration before Kueue reads the pods. Of jobs
/// Kueue reads the pod template, which does not change.
[[nodiscard]] bool may_be_tolerated_at_admission(const Workload& workload, const Taint& taint) {
  return facts_of(workload).traits.queued_by_pod &&
         compute_requests(workload.pod).find(taint.key.value_or("")) != nullptr;
}

/// A taint of the flavor that the pods certainly do not tolerate.
[[nodiscard]] std::optional<Taint> find_untolerated(const Workload& workload,
                                                    const ResourceFlavor& flavor) {
  std::vector<Toleration> tolerations = workload.pod.tolerations;
  tolerations.insert(tolerations.end(), flavor.tolerations.begin(), flavor.tolerations.end());
  const Node own = flavor.object.at("spec", "tolerations");
  if (workload.pod.tolerations_opaque || own.is_opaque()) return std::nullopt;
  for (const Taint& taint : read_taints(flavor.object.at("spec", "nodeTaints"))) {
    if (taint.key.is_known() && is_hard(taint) == Ternary::yes &&
        tolerated(tolerations, taint) == Ternary::no &&
        !may_be_tolerated_at_admission(workload, taint)) {
      return taint;
    }
  }
  return std::nullopt;
}

/// Each flavor has a taint that the pods do not tolerate.
void check_taints(Obstacles& obstacles, const Workload& workload, const KueueObjects& kueue,
                  const ResourceGroup& group, const PodRequest& request) {
  std::optional<Taint> first;
  for (const FlavorQuotas& quotas : group.flavors) {
    const ResourceFlavor* const flavor =
        quotas.flavor.is_known() ? kueue.find_flavor(quotas.flavor.value()) : nullptr;
    if (flavor == nullptr) return;
    const std::optional<Taint> taint = find_untolerated(workload, *flavor);
    if (!taint) return;
    if (!first) first = taint;
  }
  if (!first) return;
  const bool is_only = group.flavors.size() == 1;
  const Node tolerations = workload.pod.tolerations_node;
  obstacles
      .add_at_key(tolerations ? tolerations : request.node,
                  "{} does not tolerate the taint{} `{}`{}", describe(workload),
                  is_only ? "" : "s of its queue's flavors, such as", to_string(*first),
                  is_only ? " of its queue's only flavor" : "")
      .related(first->node, "this taint of the flavor rejects the pods")
      .help(
          "add a toleration for the taint `{}` to the pods, or to `tolerations` of the flavor. "
          "Otherwise Kueue never admits the workload",
          to_string(*first));
}

void check_workload(Obstacles& obstacles, const KueueObjects& kueue, const Cohorts& cohorts,
                    const Workload& workload) {
  const ClusterQueue* const queue = kueue.queue_of(workload);
  if (queue == nullptr || queue->is_open) return;
  // Kueue rejects such a queue, and invalid-cluster-queue reports it.
  if (std::ranges::any_of(queue->groups,
                          [](const ResourceGroup& g) { return g.covered.empty(); })) {
    return;
  }
  const PodRequests requests = compute_requests(workload.pod);
  std::vector<const ResourceGroup*> reported;
  for (const PodRequest& request : requests.resources) {
    if (request.amount == 0 || !request.node) continue;
    const ResourceGroup* const group = queue->find_group(request.name);
    if (group == nullptr) {
      if (is_surely_uncovered(*queue, request.name)) {
        report_uncovered(obstacles, workload, *queue, request);
      }
      continue;
    }
    check_amount(obstacles, cohorts, workload, *queue, *group, request);
    if (std::ranges::find(reported, group) != reported.end()) continue;
    reported.push_back(group);
    check_labels(obstacles, workload, kueue, *group);
    check_taints(obstacles, workload, kueue, *group, request);
  }
}

void Cohorts::add(const ClusterQueue& queue) {
  if (!queue.cohort.is_known()) {
    is_open_ = is_open_ || !queue.cohort.is_absent();
    return;
  }
  Cohort& cohort = cohorts_[queue.cohort.value()];
  cohort.is_open = cohort.is_open || queue.is_open;
  for (const ResourceGroup& group : queue.groups) {
    for (const FlavorQuotas& quotas : group.flavors) {
      for (const FlavorQuota& quota : quotas.quotas) {
        if (!quotas.flavor.is_known() || !quota.resource.is_known()) continue;
        const std::string& resource = quota.resource.value();
        Sum& sum = cohort.sums[{quotas.flavor.value(), resource}];
        sum.is_open = sum.is_open || !quota.nominal.is_known();
        if (!sum.is_open) sum.amount += count_of(resource, quota.nominal.value());
      }
    }
  }
}

std::optional<std::int64_t> Cohorts::sum(const ClusterQueue& queue, const std::string& flavor,
                                         const std::string& resource) const {
  const auto found = cohorts_.find(queue.cohort.value_or(""));
  if (is_open_ || found == cohorts_.end()) return std::nullopt;
  const Cohort& cohort = found->second;
  if (cohort.objects != 1 || !cohort.is_plain || cohort.is_open) return std::nullopt;
  const auto sum = cohort.sums.find({flavor, resource});
  if (sum == cohort.sums.end()) return 0;
  return sum->second.is_open ? std::nullopt : std::optional(sum->second.amount);
}

}  // namespace

FindObstacles make_kueue_gate(const ScopeModel& model) {
  KueueObjects kueue = read_kueue(model.objects);
  if (kueue.local_queues.empty()) return no_obstacles;
  Cohorts cohorts(model, kueue);
  return [kueue = std::move(kueue), cohorts = std::move(cohorts)](const Workload& workload) {
    Obstacles found(Gate::queue);
    check_workload(found, kueue, cohorts, workload);
    return std::move(found).take();
  };
}

std::vector<ClosedQueue> find_closed_queues(const ScopeModel& model, const KueueObjects& kueue) {
  std::vector<ClosedQueue> closed;
  const Namespaces namespaces(model);
  for (const LocalQueue& local : kueue.local_queues) {
    const ClusterQueue* const queue = local.cluster_queue.is_known()
                                          ? kueue.find_cluster_queue(local.cluster_queue.value())
                                          : nullptr;
    if (queue == nullptr) continue;
    Obstacles found(Gate::queue);
    const Node spec = queue->object.get("spec");
    const Node selector = spec.get("namespaceSelector");
    if (spec.is_mapping() && (!selector || selector.is_null())) {
      found
          .add(queue->object.at("metadata", "name"),
               "ClusterQueue `{}` admits no workloads, because `namespaceSelector` is missing",
               queue->name)
          .related(local.cluster_queue.node(), "this LocalQueue uses the ClusterQueue")
          .help("set `namespaceSelector: {{}}` to select all namespaces");
    } else {
      check_selector(namespaces, found, *queue, local);
    }
    closed.push_back({local.object, std::move(found).take()});
  }
  return closed;
}

FindObstacles make_kueue_namespace_gate(const ScopeModel& model) {
  KueueObjects kueue = read_kueue(model.objects);
  if (kueue.local_queues.empty()) return no_obstacles;
  std::vector<ClosedQueue> closed = find_closed_queues(model, kueue);
  return [kueue = std::move(kueue), closed = std::move(closed)](const Workload& workload) {
    const LocalQueue* const local = kueue.local_queue_of(workload);
    const auto found = std::ranges::find_if(closed, [&](const ClosedQueue& queue) {
      return local != nullptr && queue.local_queue == local->object;
    });
    return found == closed.end() ? std::vector<Obstacle>{} : found->obstacles;
  };
}

}  // namespace gpulint
