#include <string_view>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/engine/rule.h"
#include "compiler/model/gpu_resource.h"
#include "rules/support/edits.h"
#include "rules/support/queries.h"

namespace gpulint::rules {
namespace {

void check_entry(const Corpus& corpus, Reporter& reporter, const Container& container,
                 const ResourceEntry& entry, std::string_view list) {
  if (entry.name.node.is_opaque()) return;
  const GpuResource resource = classify_resource(entry.name.value);
  if (resource.kind != GpuResource::Kind::near_miss) return;
  Finding finding = reporter.report(entry.name.node, "{} {} `{}`, which no device plugin offers",
                                    describe(container), list, entry.name.value);
  if (resource.suggestion.empty()) {
    finding.help("ask for the resource that the nodes offer, e.g. `nvidia.com/gpu`");
    return;
  }
  finding.help("did you mean `{}`?", resource.suggestion)
      .fix(Safety::unsafe, fmt::format("rename to `{}`", resource.suggestion),
           replace_string(*corpus.sources, entry.name.node, resource.suggestion));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    for (const Container& container : workload.pod.containers) {
      for (const ResourceEntry& entry : container.resources.limits) {
        check_entry(corpus, reporter, container, entry, "limits");
      }
      for (const ResourceEntry& entry : container.resources.requests) {
        check_entry(corpus, reporter, container, entry, "requests");
      }
    }
  }
}

}  // namespace

extern constinit const Rule unknown_gpu_resource;
constinit const Rule unknown_gpu_resource{
    .info = {.id = "unknown-gpu-resource",
             .category = "resources",
             .summary = "A resource name is close to a known GPU resource, but no node offers it.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules
