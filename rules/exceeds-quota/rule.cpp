#include "compiler/engine/rule.h"

#include <cstdint>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/ir/read.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/gpu_concern.h"
#include "compiler/schedule/pod_requests.h"
#include "compiler/schedule/terms.h"
#include "rules/exceeds-quota/flyte_quotas.h"
#include "rules/exceeds-quota/namespace_limits.h"
#include "rules/support/causes.h"

namespace gpulint::rules::exceeds_quota {
namespace {

/// What one pod requests beyond all that the quota gives; the empty namespace would refuse it.
void check_quota(Reporter& reporter, const Workload& workload, Node quota) {
  const PodRequests requests = compute_requests(workload.pod);
  for (const Node::Entry& item : quota.at("spec", "hard").fields()) {
    std::string_view resource = item.key.text();
    if (resource.starts_with("requests.")) {
      resource.remove_prefix(9);
    } else if (resource != "cpu" && resource != "memory") {
      continue;
    }
    const PodRequest* const request = requests.find(resource);
    const Field<Quantity> hard = read_quantity(item.value);
    if (request == nullptr || !request->node || !hard.is_known()) continue;
    const std::int64_t most = count_of(resource, hard.value());
    if (request->amount <= most) continue;
    reporter
        .report(request->node, "{} requests {} of `{}`; quota `{}` gives {} to the whole namespace",
                describe(workload), amount_text(resource, request->amount), resource,
                object_name(quota), amount_text(resource, most))
        .related(item.value, "all that there is")
        .help("the API server refuses each such pod: request less, or raise `{}`", item.key.text());
  }
}

void report_beyond(Reporter& reporter, const Workload& workload, Node place, Node most,
                   std::string_view what) {
  reporter
      .report(place, "{} wants more of `{}` than the LimitRange lets a {} have", describe(workload),
              most.key().text(), what)
      .related(most, "the most")
      .help("the API server refuses each such pod: ask for less, or raise `max`");
}

void check_containers(Reporter& reporter, const Workload& workload, Node most) {
  const Field<Quantity> limit = read_quantity(most);
  if (!limit.is_known()) return;
  for (const Container& container : workload.pod.containers) {
    if (container.kind == ContainerKind::ephemeral) continue;
    for (const auto* entries : {&container.resources.limits, &container.resources.requests}) {
      const ResourceEntry* beyond = nullptr;
      for (const ResourceEntry& entry : *entries) {
        const bool is_it = entry.name.value == most.key().text() && entry.amount.is_known();
        if (is_it && entry.amount.value() > limit.value()) beyond = &entry;
      }
      if (beyond == nullptr) continue;
      report_beyond(reporter, workload, beyond->name.node, most, "container");
      break;
    }
  }
}

void check_range(Reporter& reporter, const Workload& workload, Node range) {
  const PodRequests requests = compute_requests(workload.pod);
  for (const Node item : range.at("spec", "limits").items()) {
    const std::string_view type = item.get("type").text();
    for (const Node::Entry& most : item.get("max").fields()) {
      if (type == "Container") check_containers(reporter, workload, most.value);
      const PodRequest* const request = requests.find(most.key.text());
      const Field<Quantity> limit = read_quantity(most.value);
      const bool is_beyond = type == "Pod" && request != nullptr && request->node &&
                             limit.is_known() &&
                             request->amount > count_of(most.key.text(), limit.value());
      if (is_beyond) report_beyond(reporter, workload, request->node, most.value, "pod");
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_flyte_quotas(corpus, reporter);
  const NamespaceLimits limits = read_limits(corpus);
  if (limits.quotas.empty() && limits.ranges.empty()) return;
  for (const Workload& workload : corpus.workloads) {
    if (workload.origin != Workload::Origin::manifest || !requests_gpu(workload.pod)) continue;
    for (const Node quota : limits.quotas.of(workload.object)) {
      check_quota(reporter, workload, quota);
      check_required(reporter, workload, limits, quota);
    }
    for (const Node range : limits.ranges.of(workload.object)) {
      check_range(reporter, workload, range);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources"}, .check = check};

}  // namespace gpulint::rules::exceeds_quota
