#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "compiler/model/facts/gpu_resource.h"
#include "rules/support/queries.h"

namespace gpulint::rules::multiple_mig_in_container {
namespace {

/// No node has as many; larger amounts could overflow the sum.
constexpr std::int64_t most_devices = 1'000'000;

void check_container(Reporter& reporter, const Container& container) {
  std::int64_t devices = 0;
  std::vector<const ResourceEntry*> entries;
  for (const ResourceEntry& entry : container.resources.limits) {
    if (classify_resource(entry.name.value).kind != GpuResource::Kind::mig) continue;
    if (!entry.amount.is_known() || entry.amount.value().is_zero()) continue;
    devices += std::clamp<std::int64_t>(entry.amount.value().value(), 0, most_devices);
    entries.push_back(&entry);
  }
  if (devices < 2) return;
  Finding finding = reporter.report(entries.front()->amount.node(),
                                    "{} requests {} MIG devices, but a CUDA process uses only one",
                                    describe(container), devices);
  for (std::size_t i = 1; i < entries.size(); ++i) {
    finding.related(entries[i]->amount.node(),
                    fmt::format("this limit requests {} of the {} MIG devices",
                                entries[i]->amount.value().value(), devices));
  }
  finding.help(
      "request one device of a larger profile, or start several processes that each select a "
      "device");
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const auto* workloads : {&corpus.workloads, &corpus.fragments}) {
    for (const Workload& workload : *workloads) {
      for (const Container& container : workload.pod.containers) {
        check_container(reporter, container);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "partition", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::multiple_mig_in_container
