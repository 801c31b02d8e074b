#include "rules/queue-never-admits/kueue_workloads.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/model/read_pod.h"
#include "compiler/schedule/gpu_concern.h"
#include "compiler/schedule/pod_requests.h"
#include "compiler/schedule/terms.h"
#include "compiler/schedule/tolerate.h"
#include "rules/queue-never-admits/queue_demand.h"
#include "rules/support/causes.h"

namespace gpulint::rules::queue_never_admits {
namespace {

[[nodiscard]] Node name_of(const ClusterQueue& queue) {
  return queue.object.at("metadata", "name");
}

void report_uncovered(Reporter& reporter, const Workload& workload, const ClusterQueue& queue,
                      const PodRequest& request) {
  reporter
      .report(request.node, "ClusterQueue `{}` has no quota for `{}`, which {} requests",
              queue.name, request.name, describe(workload))
      .related(name_of(queue), fmt::format("it covers {}", list(covered_by(queue))))
      .help(
          "Kueue never lets it in: add `{}` to `coveredResources` and to each flavor, or request "
          "what is covered",
          request.name);
}

/// More than any flavor has, were nothing else in the queue.
void check_amount(Reporter& reporter, const Cohorts& cohorts, const Workload& workload,
                  const ClusterQueue& queue, const ResourceGroup& group,
                  const PodRequest& request) {
  const auto pods = pods_of_workload(workload);
  const auto largest = largest_quota(cohorts, queue, group, request.name);
  if (request.is_open || !pods || !largest || request.amount * *pods <= largest->amount) return;
  Finding finding =
      reporter.report(request.node,
                      "{} requests {} of `{}` at once; no flavor of ClusterQueue `{}`{} has more "
                      "than {}",
                      describe(workload), amount_text(request.name, request.amount * *pods),
                      request.name, queue.name, largest->is_of_cohort ? " with its cohort" : "",
                      amount_text(request.name, largest->amount));
  finding.related(largest->node, "the largest quota")
      .help("Kueue never lets it in: request less, or raise `nominalQuota`");
  // Other queues may be in the cohort.
  if (largest->is_of_cohort) finding.severity(Severity::warning);
}

/// The label of the pod's selector that no flavor has; and each flavor has another value.
void check_labels(Reporter& reporter, const Workload& workload, const KueueObjects& kueue,
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
    reporter
        .report(wanted.value.node(), "no flavor of the queue has `{}={}`, which {} demands",
                wanted.key.value, wanted.value.value(), describe(workload))
        .related(values.front().node, "what a flavor has")
        .help("Kueue never lets it in: the flavors have {}; leave the label to them", list(names));
  }
}

/// Whether ExtendedResourceToleration may have added a toleration before Kueue sees the pods: of
/// jobs it sees their templates.
[[nodiscard]] bool may_be_tolerated_at_admission(const Workload& workload, const Taint& taint) {
  constexpr auto of_pods = std::to_array<std::string_view>(
      {"Deployment", "LeaderWorkerSet", "Pod", "ReplicaSet", "StatefulSet"});
  return std::ranges::find(of_pods, workload.kind.value_or("")) != of_pods.end() &&
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
void check_taints(Reporter& reporter, const Workload& workload, const KueueObjects& kueue,
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
  reporter
      .report_key(tolerations ? tolerations : request.node,
                  "{} does not tolerate `{}`, a taint of {} flavor of its queue",
                  describe(workload), to_string(*first),
                  group.flavors.size() == 1 ? "the only" : "each")
      .related(first->node, "the taint")
      .help(
          "Kueue never lets it in: tolerate the taint, or add the toleration to the flavor, which "
          "gives it to the pods that it takes");
}

void check_workload(Reporter& reporter, const KueueObjects& kueue, const Cohorts& cohorts,
                    const Workload& workload) {
  const ClusterQueue* const queue = kueue.queue_of(workload);
  if (queue == nullptr || queue->is_open || !requests_gpu(workload.pod)) return;
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
        report_uncovered(reporter, workload, *queue, request);
      }
      continue;
    }
    check_amount(reporter, cohorts, workload, *queue, *group, request);
    if (std::ranges::find(told, group) != told.end()) continue;
    told.push_back(group);
    check_labels(reporter, workload, kueue, *group);
    check_taints(reporter, workload, kueue, *group, request);
  }
}

}  // namespace

void check_kueue_workloads(const Corpus& corpus, const KueueObjects& kueue, Reporter& reporter) {
  const Cohorts cohorts(corpus, kueue);
  for (const Workload& workload : corpus.workloads) {
    check_workload(reporter, kueue, cohorts, workload);
  }
}

}  // namespace gpulint::rules::queue_never_admits
