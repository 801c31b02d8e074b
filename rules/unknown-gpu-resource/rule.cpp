#include "compiler/engine/rule.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/ir/key_path.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "rules/support/queries.h"

namespace gpulint::rules::unknown_gpu_resource {
namespace {

/// The prefix of a resource's name in a quota's key.
constexpr std::string_view of_requests = "requests.";

using Names = std::vector<Node>;

/// Where objects name the resources that they count.
struct CountedNames {
  std::string_view group;  ///< Empty: the core group, `v1`.
  std::string_view kind;
  std::string_view path;
};

// kubernetes-sigs/kueue apis/kueue: ClusterQueueSpec, CohortSpec, ProvisioningRequestConfigSpec;
// volcano.sh/apis scheduling/v1beta1: QueueSpec, PodGroupSpec; kubernetes-sigs/scheduler-plugins
// apis/scheduling/v1alpha1: PodGroupSpec, ElasticQuotaSpec.
constexpr CountedNames counted[] = {
    {"", "ResourceQuota", "spec.hard{}"},
    {"kueue.x-k8s.io", "ProvisioningRequestConfig", "spec.managedResources[]"},
    {"kueue.x-k8s.io", "ClusterQueue", "spec.resourceGroups[].coveredResources[]"},
    {"kueue.x-k8s.io", "ClusterQueue", "spec.resourceGroups[].flavors[].resources[].name"},
    {"kueue.x-k8s.io", "Cohort", "spec.resourceGroups[].coveredResources[]"},
    {"kueue.x-k8s.io", "Cohort", "spec.resourceGroups[].flavors[].resources[].name"},
    {"scheduling.volcano.sh", "Queue", "spec.capability{}"},
    {"scheduling.volcano.sh", "Queue", "spec.deserved{}"},
    {"scheduling.volcano.sh", "Queue", "spec.guarantee.resource{}"},
    {"scheduling.volcano.sh", "PodGroup", "spec.minResources{}"},
    {"scheduling.x-k8s.io", "PodGroup", "spec.minResources{}"},
    {"scheduling.x-k8s.io", "ElasticQuota", "spec.min{}"},
    {"scheduling.x-k8s.io", "ElasticQuota", "spec.max{}"}};

/// The resource names that the object counts by.
[[nodiscard]] Names counted_names(const KubernetesObject& object) {
  const std::string version = object.api_version.value_or("");
  Names names;
  for (const CountedNames& row : counted) {
    const bool is_group = row.group.empty() ? version == "v1" : api_group(version) == row.group;
    if (!is_group || !object.kind.equals(std::string(row.kind))) continue;
    std::ranges::move(nodes_at(object.node, row.path), std::back_inserter(names));
  }
  return names;
}

void report(const Corpus& corpus, Reporter& reporter, const KubernetesObject& object,
            const std::string& written, const Names& places) {
  const bool is_prefixed = written.starts_with(of_requests);
  const std::string name = is_prefixed ? written.substr(of_requests.size()) : written;
  // Kueue can be configured to count other names (`resources.transformations`).
  if (name.find('/') == name.npos) return;
  const GpuResource resource = classify_resource(name);
  if (resource.kind != GpuResource::Kind::near_miss || resource.suggestion.empty()) return;
  Finding finding = reporter.report(
      places.front(), "{} `{}` lists `{}`, but no device plugin offers this resource",
      object.kind.value_or("the object"), object_name(object.node), name);
  const std::string better =
      fmt::format("{}{}", is_prefixed ? of_requests : "", resource.suggestion);
  std::vector<Edit> edits;
  for (const Node place : places) {
    if (place != places.front()) finding.related(place, "this entry has the same wrong name");
    std::ranges::move(replace_string(*corpus.sources, place, better), std::back_inserter(edits));
  }
  if (is_prefixed) {
    finding.help("write `{}`, because pods request `{}`", better, resource.suggestion);
  } else {
    finding.help("write `{}`, which is the name that pods request", better);
  }
  finding.fix(Safety::unsafe, fmt::format("write `{}`", better), std::move(edits));
}

/// Names that quotas and queues of Kubernetes, Kueue, Volcano and the scheduler plugins count. No
/// pod requests such a resource, so nothing is counted, or nothing is admitted.
void check_counted_names(const Corpus& corpus, Reporter& reporter) {
  for (const KubernetesObject& object : corpus.objects) {
    std::map<std::string, Names> by_name;
    for (const Node name : counted_names(object)) {
      if (name.is_scalar() && !name.is_opaque()) by_name[std::string(name.text())].push_back(name);
    }
    for (const auto& [name, places] : by_name) report(corpus, reporter, object, name, places);
  }
}

[[nodiscard]] const ResourceEntry* find(const std::vector<ResourceEntry>& list,
                                        std::string_view name) {
  const auto at = std::ranges::find(
      list, name, [](const ResourceEntry& entry) -> std::string_view { return entry.name.value; });
  return at == list.end() ? nullptr : &*at;
}

/// Whether a Node offers it.
[[nodiscard]] bool is_stated(const Corpus& corpus, std::string_view name) {
  return std::ranges::any_of(corpus.cluster.pools, [&](const NodePool& pool) {
    return pool.source == NodePool::Source::node && find(pool.allocatable, name) != nullptr;
  });
}

/// `twin` is the request of the same name as a limit; null if there is none.
void check_entry(const Corpus& corpus, Reporter& reporter, const Container& container,
                 const ResourceEntry& entry, const ResourceEntry* twin) {
  if (entry.name.node.is_opaque()) return;
  const GpuResource resource = classify_resource(entry.name.value);
  if (resource.kind != GpuResource::Kind::near_miss) return;
  if (is_stated(corpus, entry.name.value)) return;
  const std::string_view name = entry.name.value;
  const std::string_view written = entry.name.node.text();
  const bool is_vendor = name.starts_with(fmt::format("{}/", written));  // Spark's `vendor`
  Finding finding =
      is_vendor
          ? reporter.report(entry.name.node,
                            "Spark requests `{}` for the vendor `{}`, but no device plugin offers "
                            "this resource",
                            name, written)
          : reporter.report(entry.name.node,
                            "{} requests `{}`, but no device plugin offers this resource",
                            describe(container), name);
  if (twin != nullptr) finding.related(twin->name.node, "`requests` has the same wrong name");
  if (resource.suggestion.empty()) {
    finding.help("request the resource that the nodes offer, for example `nvidia.com/gpu`");
    return;
  }
  if (is_vendor) {
    finding.help("did you mean the vendor `{}`? Spark then requests `{}`",
                 resource.suggestion.substr(0, resource.suggestion.find('/')), resource.suggestion);
    return;
  }
  finding.help("did you mean `{}`?", resource.suggestion);
  if (written != name) return;                // put together of several fields
  if (entry.amount.node().is_null()) return;  // it requests nothing under any name
  std::vector<Edit> edits = replace_string(*corpus.sources, entry.name.node, resource.suggestion);
  if (twin != nullptr) {
    std::ranges::copy(replace_string(*corpus.sources, twin->name.node, resource.suggestion),
                      std::back_inserter(edits));
  }
  finding.fix(Safety::unsafe, fmt::format("rename to `{}`", resource.suggestion), std::move(edits));
}

void check_container(const Corpus& corpus, Reporter& reporter, const Container& container) {
  const auto& [limits, requests] =
      std::tie(container.resources.limits, container.resources.requests);
  for (const ResourceEntry& entry : limits) {
    check_entry(corpus, reporter, container, entry, find(requests, entry.name.value));
  }
  for (const ResourceEntry& entry : requests) {
    if (find(limits, entry.name.value) != nullptr) continue;
    check_entry(corpus, reporter, container, entry, nullptr);
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const auto* workloads : {&corpus.workloads, &corpus.fragments}) {
    for (const Workload& workload : *workloads) {
      for (const Container& container : workload.pod.containers) {
        check_container(corpus, reporter, container);
      }
    }
  }
  check_counted_names(corpus, reporter);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::unknown_gpu_resource
