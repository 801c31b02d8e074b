#include "compiler/engine/rule.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/model/kueue.h"
#include "compiler/schedule/gpu_concern.h"
#include "compiler/schedule/pod_requests.h"
#include "compiler/schedule/terms.h"
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
void check_amount(Reporter& reporter, const Workload& workload, const ClusterQueue& queue,
                  const ResourceGroup& group, const PodRequest& request) {
  const auto pods = pods_of_workload(workload);
  const auto largest = largest_quota(queue, group, request.name);
  if (request.is_open || !pods || !largest || request.amount * *pods <= largest->amount) return;
  reporter
      .report(request.node,
              "{} requests {} of `{}` at once; no flavor of ClusterQueue `{}` has more "
              "than {}",
              describe(workload), amount_text(request.name, request.amount * *pods), request.name,
              queue.name, amount_text(request.name, largest->amount))
      .related(largest->node, "the largest quota")
      .help("Kueue never lets it in: request less, or raise `nominalQuota`");
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

void check_workload(Reporter& reporter, const KueueObjects& kueue, const Workload& workload) {
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
    check_amount(reporter, workload, *queue, *group, request);
    if (std::ranges::find(told, group) != told.end()) continue;
    told.push_back(group);
    check_labels(reporter, workload, kueue, *group);
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  const KueueObjects kueue = read_kueue(corpus.objects);
  if (kueue.local_queues.empty()) return;
  for (const Workload& workload : corpus.workloads) check_workload(reporter, kueue, workload);
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "queue-never-admits",
             .category = "operators",
             .summary = "A workload asks for what the Kueue queue that it waits in never gives.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules::queue_never_admits
