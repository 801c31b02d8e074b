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
#include "compiler/model/corpus/corpus.h"
#include "compiler/model/declared_kinds.h"
#include "compiler/model/kinds/kueue.h"
#include "compiler/model/pod_count.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/pod_requests.h"
#include "compiler/schedule/terms.h"
#include "compiler/schedule/tolerate.h"

namespace gpulint {
namespace {

/// The label that Kubernetes gives each namespace.
constexpr std::string_view name_label = "kubernetes.io/metadata.name";

/// What is known of a namespace's labels.
struct NamespaceLabels {
  std::string name;
  Node labels;            ///< Nothing where it has none, or is not given.
  bool is_given = false;  ///< There is an object of that name.
};

/// The Namespaces of a scope by name.
class Namespaces {
 public:
  explicit Namespaces(const Corpus& corpus) {
    for (const KubernetesObject& object : corpus.objects) {
      if (!object.kind.equals("Namespace")) continue;
      const Node metadata = object.node.get("metadata");
      const Field<std::string> name = read_string(metadata, "name");
      has_open_names_ = has_open_names_ || !name.is_known();
      if (name.is_known()) labels_[name.value()].push_back(metadata.get("labels"));
    }
  }

  /// Nothing where the labels are open.
  [[nodiscard]] std::optional<NamespaceLabels> find(const std::string& name) const {
    if (has_open_names_) return std::nullopt;
    const auto found = labels_.find(name);
    if (found == labels_.end()) return NamespaceLabels{.name = name, .labels = {}};
    if (found->second.size() > 1) return std::nullopt;  // which of them is in force?
    const Node labels = found->second.front();
    if (any_below(labels, [](Node at) { return at.is_opaque(); })) return std::nullopt;
    return NamespaceLabels{.name = name, .labels = labels, .is_given = true};
  }

 private:
  std::map<std::string, std::vector<Node>> labels_;
  bool has_open_names_ = false;
};

/// A demand of the selector that the namespace does not meet.
struct Unmet {
  Node where;
  std::string key;
  bool is_certain = false;  ///< The label is there, with another value.
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
  if (!is_name && !label) {  // somebody may have labelled it since
    const bool wants_one = space.is_given && (op == "In" || op == "Exists");
    return wants_one ? std::optional(Unmet{requirement.node, key}) : std::nullopt;
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
      unmet->where, "ClusterQueue `{}` takes nothing from namespace `{}`, where LocalQueue `{}` is",
      queue.name, space->name, local.name);
  obstacle.related(label ? label : local.name_space.node(), label ? "the label there" : "there")
      .help("Kueue lets nothing in from that queue: the label `{}` decides", unmet->key);
  if (!unmet->is_certain) obstacle.assume();
}

/// What the queues of each cohort may lend one another.
class Cohorts {
 public:
  Cohorts(const Corpus& corpus, const KueueObjects& kueue);

  /// What all known queues of the queue's cohort have of a flavor's resource together. Nothing
  /// where one is open, or the cohort is not one without a parent and quotas of its own.
  [[nodiscard]] std::optional<std::int64_t> sum(const ClusterQueue& queue,
                                                const std::string& flavor,
                                                const std::string& resource) const;

 private:
  struct Sum {
    std::int64_t amount = 0;
    bool is_open = false;
  };
  struct Cohort {
    int objects = 0;  ///< Of its name.
    bool is_plain = true;
    bool is_open = false;                                     ///< One of its queues is.
    std::map<std::pair<std::string, std::string>, Sum> sums;  ///< By flavor and resource.
  };

  void add(const ClusterQueue& queue);

  bool is_open_ = false;  // a Cohort's name is, or the cohort of a queue
  std::map<std::string, Cohort> cohorts_;
};

/// The most that a flavor of the group can give of the resource: its quota, and what it may borrow.
struct LargestQuota {
  std::int64_t amount = 0;  ///< As PodRequest has it.
  Node node;
  bool is_of_cohort = false;  ///< Nothing but what the known queues of its cohort have bounds it.
};

[[nodiscard]] bool is_in_cohort(const ClusterQueue& queue) {
  return !queue.cohort.is_absent() && !queue.cohort.equals("");
}

/// What the flavor can give; nothing where that is open.
[[nodiscard]] std::optional<std::int64_t> capacity(const Cohorts& cohorts,
                                                   const ClusterQueue& queue,
                                                   const Field<std::string>& flavor,
                                                   const FlavorQuota& quota) {
  if (!quota.nominal.is_known()) return std::nullopt;
  const std::string& resource = quota.resource.value();
  if (!is_in_cohort(queue)) return count_of(resource, quota.nominal.value());
  // In a cohort the limit alone bounds what others may lend, and what they have.
  if (quota.borrowing_limit.is_known()) {
    return count_of(resource, quota.nominal.value() + quota.borrowing_limit.value());
  }
  if (!quota.borrowing_limit.is_absent() || !flavor.is_known()) return std::nullopt;
  return cohorts.sum(queue, flavor.value(), resource);
}

Cohorts::Cohorts(const Corpus& corpus, const KueueObjects& kueue) {
  for (const KubernetesObject& object : corpus.objects) {
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

/// Whether the resource certainly has no quota: Kueue's configuration may make other extended
/// resources of those that pods request (`resources.transformations`), and leave some out.
[[nodiscard]] bool is_surely_uncovered(const ClusterQueue& queue, std::string_view resource) {
  const std::vector<std::string> covered = covered_by(queue);
  return resource.find('/') == resource.npos ||
         std::ranges::none_of(
             covered, [](const std::string& name) { return name.find('/') != std::string::npos; });
}

/// How many pods of the template Kueue lets in together: all of a job or cluster, one of what it
/// queues pod by pod (Deployment, Pod). Nothing where that is open, or where fewer will do.
[[nodiscard]] std::optional<std::int64_t> pods_of_workload(const Workload& workload) {
  if (workload.kind.equals("Deployment") || workload.kind.equals("Pod")) return 1;
  // Kueue then begins with fewer pods, or with part of them.
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

/// Nothing where one of them is open, or may borrow without a limit: in a cohort whose Cohort is
/// among the inputs, without a parent and without quotas of its own, all known queues of it have
/// what may be borrowed.
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
        largest = {*amount, quota.nominal.node(), is_lent};
      }
    }
  }
  return largest;
}

/// The values of the label in the group's flavors; empty where one of them does not have it, or is
/// not known.
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
      .add(request.node, "ClusterQueue `{}` has no quota for `{}`, which {} requests", queue.name,
           request.name, describe(workload))
      .related(name_of(queue), fmt::format("it covers {}", list(covered_by(queue))))
      .help(
          "Kueue never lets it in: add `{}` to `coveredResources` and to each flavor, or request "
          "what is covered",
          request.name);
}

/// More than any flavor has, were nothing else in the queue.
void check_amount(Obstacles& obstacles, const Cohorts& cohorts, const Workload& workload,
                  const ClusterQueue& queue, const ResourceGroup& group,
                  const PodRequest& request) {
  const auto pods = pods_of_workload(workload);
  const auto largest = largest_quota(cohorts, queue, group, request.name);
  if (request.is_open || !pods || !largest || request.amount * *pods <= largest->amount) return;
  Obstacle& obstacle =
      obstacles.add(request.node,
                    "{} requests {} of `{}` at once; no flavor of ClusterQueue `{}`{} has more "
                    "than {}",
                    describe(workload), amount_text(request.name, request.amount * *pods),
                    request.name, queue.name, largest->is_of_cohort ? " with its cohort" : "",
                    amount_text(request.name, largest->amount));
  obstacle.related(largest->node, "the largest quota")
      .help("Kueue never lets it in: request less, or raise `nominalQuota`");
  // Other queues may be in the cohort.
  if (largest->is_of_cohort) obstacle.assume();
}

/// The label of the pod's selector that no flavor has; and each flavor has another value.
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
        .add(wanted.value.node(), "no flavor of the queue has `{}={}`, which {} demands",
             wanted.key.value, wanted.value.value(), describe(workload))
        .related(values.front().node, "what a flavor has")
        .help("Kueue never lets it in: the flavors have {}; leave the label to them", list(names));
  }
}

/// Whether ExtendedResourceToleration may have added a toleration before Kueue sees the pods: of
/// jobs it sees their templates.
[[nodiscard]] bool may_be_tolerated_at_admission(const Workload& workload, const Taint& taint) {
  return facts_of(workload).traits.queued_by_pod &&
         compute_requests(workload.pod).find(taint.key.value_or("")) != nullptr;
}

/// A taint of the flavor that certainly keeps the pods out.
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
  const Node tolerations = workload.pod.tolerations_node;
  obstacles
      .add_at_key(tolerations ? tolerations : request.node,
                  "{} does not tolerate `{}`, a taint of {} flavor of its queue",
                  describe(workload), to_string(*first),
                  group.flavors.size() == 1 ? "the only" : "each")
      .related(first->node, "the taint")
      .help(
          "Kueue never lets it in: tolerate the taint, or add the toleration to the flavor, which "
          "gives it to the pods that it takes");
}

void check_workload(Obstacles& obstacles, const KueueObjects& kueue, const Cohorts& cohorts,
                    const Workload& workload) {
  const ClusterQueue* const queue = kueue.queue_of(workload);
  if (queue == nullptr || queue->is_open) return;
  // Of a queue that Kueue refuses invalid-cluster-queue speaks.
  if (std::ranges::any_of(queue->groups,
                          [](const ResourceGroup& g) { return g.covered.empty(); })) {
    return;
  }
  const PodRequests requests = compute_requests(workload.pod);
  std::vector<const ResourceGroup*> told;
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
    if (std::ranges::find(told, group) != told.end()) continue;
    told.push_back(group);
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

FindObstacles make_kueue_gate(const Corpus& corpus) {
  KueueObjects kueue = read_kueue(corpus.objects);
  if (kueue.local_queues.empty()) return no_obstacles;
  Cohorts cohorts(corpus, kueue);
  return [kueue = std::move(kueue), cohorts = std::move(cohorts)](const Workload& workload) {
    Obstacles found(Gate::queue);
    check_workload(found, kueue, cohorts, workload);
    return std::move(found).take();
  };
}

std::vector<ClosedQueue> find_closed_queues(const Corpus& corpus, const KueueObjects& kueue) {
  std::vector<ClosedQueue> closed;
  const Namespaces namespaces(corpus);
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
               "ClusterQueue `{}` has no `namespaceSelector`, so that it takes workloads of no "
               "namespace",
               queue->name)
          .related(local.cluster_queue.node(), "a queue that leads to it")
          .help("`namespaceSelector: {{}}` selects all namespaces");
    } else {
      check_selector(namespaces, found, *queue, local);
    }
    closed.push_back({local.object, std::move(found).take()});
  }
  return closed;
}

FindObstacles make_kueue_namespace_gate(const Corpus& corpus) {
  KueueObjects kueue = read_kueue(corpus.objects);
  if (kueue.local_queues.empty()) return no_obstacles;
  std::vector<ClosedQueue> closed = find_closed_queues(corpus, kueue);
  return [kueue = std::move(kueue), closed = std::move(closed)](const Workload& workload) {
    const LocalQueue* const local = kueue.local_queue_of(workload);
    const auto found = std::ranges::find_if(closed, [&](const ClosedQueue& queue) {
      return local != nullptr && queue.local_queue == local->object;
    });
    return found == closed.end() ? std::vector<Obstacle>{} : found->obstacles;
  };
}

}  // namespace gpulint
