#include "compiler/engine/rule.h"

#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "rules/support/partitions.h"

namespace gpulint::rules::partition_on_whole_gpu {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  std::set<std::pair<const Document*, NodeIndex>> reported;
  for (const PartitionUse& use : find_partition_uses(corpus)) {
    if (check_partition(use).fit != PartitionFit::whole) continue;
    if (!reported.emplace(use.place.document(), use.place.index()).second) continue;
    const Value<std::string>& device = use.devices.front();
    Finding finding = reporter.report(
        use.place, "{} {} the partition `{}`, but GPU `{}` does not support MIG", use.who,
        use.is_of_node ? "is configured with" : "requests", use.text, device.value);
    if (device.node != use.place) {
      finding.related(device.node,
                      fmt::format("{} {} this GPU", use.who, use.is_of_node ? "has" : "selects"));
    }
    finding.help("{} a GPU that supports MIG, or share the GPU with time-slicing or MPS",
                 use.is_of_node ? "remove the partition, use" : "request the whole GPU, select");
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "partition"}, .check = check};

}  // namespace gpulint::rules::partition_on_whole_gpu
