#include "compiler/engine/rule.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/engine/reporter.h"
#include "compiler/model/gpu_resource.h"
#include "rules/support/queries.h"
#include "rules/unknown-gpu-resource/counted_names.h"

namespace gpulint::rules::unknown_gpu_resource {
namespace {

[[nodiscard]] const ResourceEntry* find(const std::vector<ResourceEntry>& list,
                                        std::string_view name) {
  const auto at = std::ranges::find(
      list, name, [](const ResourceEntry& entry) -> std::string_view { return entry.name.value; });
  return at == list.end() ? nullptr : &*at;
}

/// Whether a Node says that it offers it.
[[nodiscard]] bool is_stated(const Corpus& corpus, std::string_view name) {
  return std::ranges::any_of(corpus.cluster.pools, [&](const NodePool& pool) {
    return pool.source == NodePool::Source::node && find(pool.allocatable, name) != nullptr;
  });
}

/// `twin` is the request beside a limit of the same name; null where there is none.
void check_entry(const Corpus& corpus, Reporter& reporter, const Container& container,
                 const ResourceEntry& entry, const ResourceEntry* twin) {
  if (entry.name.node.is_opaque()) return;
  const GpuResource resource = classify_resource(entry.name.value);
  if (resource.kind != GpuResource::Kind::near_miss) return;
  if (is_stated(corpus, entry.name.value)) return;
  Finding finding =
      reporter.report(entry.name.node, "{} asks for `{}`, which no device plugin offers",
                      describe(container), entry.name.value);
  if (twin != nullptr) finding.related(twin->name.node, "and requests it here");
  if (resource.suggestion.empty()) {
    finding.help("ask for the resource that the nodes offer, e.g. `nvidia.com/gpu`");
    return;
  }
  finding.help("did you mean `{}`?", resource.suggestion);
  if (entry.amount.node().is_null()) return;               // under no name does it ask for anything
  if (entry.name.node.text() != entry.name.value) return;  // put together of several fields
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

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "unknown-gpu-resource",
             .category = "resources",
             .summary = "A resource name is close to a known GPU resource, but no node offers it.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules::unknown_gpu_resource
