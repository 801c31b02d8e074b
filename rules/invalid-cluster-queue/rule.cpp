#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/counted.h"
#include "compiler/edit/edits.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/kinds/kueue.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::invalid_cluster_queue {
namespace {

constexpr std::string_view why =
    "write the quotas of each flavor in the order of `coveredResources`, one quota for each "
    "resource. Otherwise Kueue rejects the ClusterQueue";

[[nodiscard]] std::string list_covered(const ResourceGroup& group) {
  std::vector<std::string> names;
  for (const Field<std::string>& name : group.covered) names.push_back(name.value_or(""));
  return list(names);
}

/// Whether the queue covers accelerators. Other queues are not reported.
[[nodiscard]] bool is_about_gpus(const ClusterQueue& queue) {
  return std::ranges::any_of(queue.groups, [](const ResourceGroup& group) {
    return std::ranges::any_of(
               group.covered,
               [](const Field<std::string>& name) { return is_gpu_resource(name.value_or("")); }) ||
           std::ranges::any_of(group.flavors, [](const FlavorQuotas& quotas) {
             return std::ranges::any_of(quotas.quotas, [](const FlavorQuota& quota) {
               return is_gpu_resource(quota.resource.value_or(""));
             });
           });
  });
}

[[nodiscard]] bool has_quota(const FlavorQuotas& flavor, const std::string& resource) {
  return std::ranges::any_of(
      flavor.quotas, [&](const FlavorQuota& quota) { return quota.resource.equals(resource); });
}

/// A quota for a resource that the group does not cover, or in another resource's position.
void check_order(const Corpus& corpus, Reporter& reporter, const ResourceGroup& group,
                 const FlavorQuotas& flavor) {
  for (std::size_t i = 0; i < flavor.quotas.size(); ++i) {
    const Field<std::string>& resource = flavor.quotas[i].resource;
    const Field<std::string>& covered = group.covered[i];
    if (!resource.is_known() || resource.value() == covered.value_or("")) continue;
    const bool is_covered = group.covers(resource.value());
    Finding finding = reporter.report(
        resource.node(), "flavor `{}` has a quota for `{}`{}", flavor.flavor.value_or(""),
        resource.value(),
        is_covered ? fmt::format(" where `coveredResources` has `{}`", covered.value_or(""))
                   : fmt::format(", but its resource group covers only {}", list_covered(group)));
    finding.related(
        covered.node(),
        fmt::format("`coveredResources` has `{}` in this position, but flavor `{}` has `{}`",
                    covered.value_or(""), flavor.flavor.value_or(""), resource.value()));
    if (is_covered || has_quota(flavor, covered.value_or(""))) {
      finding.help("{}", why);
      return;
    }
    finding.help(
        "rename the quota to `{}`, or correct `coveredResources`. Otherwise Kueue rejects the "
        "ClusterQueue",
        covered.value_or(""));
    finding.fix(Safety::unsafe, fmt::format("rename to `{}`", covered.value()),
                replace_string(*corpus.sources, resource.node(), covered.value()));
  }
}

void check_flavor(const Corpus& corpus, Reporter& reporter, const ClusterQueue& queue,
                  const ResourceGroup& group, const FlavorQuotas& flavor) {
  if (flavor.quotas.size() == group.covered.size()) {
    check_order(corpus, reporter, group, flavor);
  } else {
    const Node where = flavor.node.get("resources");
    reporter
        .report_key(where ? where : flavor.node,
                    "flavor `{}` has {}, but its resource group covers {}",
                    flavor.flavor.value_or(""), count_text(flavor.quotas.size(), "quota"),
                    count_text(group.covered.size(), "resource"))
        .related(group.node.get("coveredResources"),
                 fmt::format("the resource group covers {}", list_covered(group)))
        .help("{}", why);
  }
  const bool is_alone = queue.cohort.is_absent() || queue.cohort.equals("");
  for (const FlavorQuota& quota : flavor.quotas) {
    const Node limit = quota.node.get("borrowingLimit");
    if (!is_alone || !limit || limit.is_null()) continue;
    reporter
        .report_key(limit, "`borrowingLimit` is set, but ClusterQueue `{}` is not in a cohort",
                    queue.name)
        .help("remove `borrowingLimit`, or set `cohort`. Otherwise Kueue rejects the ClusterQueue");
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const ClusterQueue& queue : read_kueue(corpus.objects).cluster_queues) {
    if (queue.is_open || !is_about_gpus(queue)) continue;
    for (const ResourceGroup& group : queue.groups) {
      for (const FlavorQuotas& flavor : group.flavors) {
        check_flavor(corpus, reporter, queue, group, flavor);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::invalid_cluster_queue
