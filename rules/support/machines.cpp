#include "rules/support/machines.h"

#include <fmt/format.h>

#include "compiler/model/karpenter/machines.h"
#include "compiler/schedule/pool_machines.h"
#include "rules/support/causes.h"

namespace gpulint::rules {

std::string describe_machines(const NodePool& pool) {
  if (pool.source == NodePool::Source::node) return {};
  const auto machines = known_machines(pool);
  if (!machines) return {};
  return fmt::format("{} is made of {}", describe(pool), gpulint::describe(*machines));
}

void relate_machines(Finding& finding, const Cause& cause, std::string_view resource) {
  if (cause.other || cause.pool->source == NodePool::Source::node) return;
  const Node place = offer_node(*cause.pool, resource);
  if (place && place != cause.pool->node) {
    finding.related(place, fmt::format("what {} is made of", describe(*cause.pool)));
  }
}

}  // namespace gpulint::rules
