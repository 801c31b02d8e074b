#include "rules/queue-never-admits/queue_demand.h"

#include <algorithm>

#include "compiler/ir/read.h"
#include "compiler/schedule/gpu_capacity.h"
#include "compiler/schedule/pod_requests.h"

namespace gpulint::rules::queue_never_admits {
namespace {

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

}  // namespace

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

std::vector<std::string> covered_by(const ClusterQueue& queue) {
  std::vector<std::string> names;
  for (const ResourceGroup& group : queue.groups) {
    for (const Field<std::string>& name : group.covered) names.push_back(name.value_or(""));
  }
  return names;
}

bool is_surely_uncovered(const ClusterQueue& queue, std::string_view resource) {
  const std::vector<std::string> covered = covered_by(queue);
  return resource.find('/') == resource.npos ||
         std::ranges::none_of(
             covered, [](const std::string& name) { return name.find('/') != std::string::npos; });
}

std::optional<std::int64_t> pods_of_workload(const Workload& workload) {
  if (workload.kind.equals("Deployment") || workload.kind.equals("Pod")) return 1;
  // Kueue then begins with fewer pods, or with part of them.
  constexpr std::string_view partial = "kueue.x-k8s.io/job-min-parallelism";
  constexpr std::string_view elastic = "kueue.x-k8s.io/elastic-job";
  for (const Node map :
       {workload.object.at("metadata", "annotations"), workload.object.at("metadata", "labels")}) {
    if (map.get(partial) || map.get(elastic)) return std::nullopt;
  }
  auto pods = pods_side_by_side(workload);
  const Field<std::int64_t> completions = read_int(workload.object.get("spec"), "completions");
  if (pods && workload.kind.equals("Job") && completions.is_known()) {
    pods = std::min(*pods, completions.value());
  }
  return pods;
}

std::optional<LargestQuota> largest_quota(const Cohorts& cohorts, const ClusterQueue& queue,
                                          const ResourceGroup& group, std::string_view resource) {
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

std::vector<Value<std::string>> values_in_flavors(const KueueObjects& kueue,
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

}  // namespace gpulint::rules::queue_never_admits
