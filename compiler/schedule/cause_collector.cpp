#include "compiler/schedule/cause_collector.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gpulint {
namespace {

/// What distinguishes causes of one kind at one place.
[[nodiscard]] std::string detail_of(const Cause& cause) {
  struct Detail {
    std::string operator()(const MissingResource& r) const { return r.name; }
    std::string operator()(const UnmatchedRequirement& r) const {
      return fmt::format("{} {} {}", r.key, r.op, fmt::join(r.wanted, ","));
    }
    std::string operator()(const ExceededAmount& r) const {
      return fmt::format("{} {}", r.name, r.requested);
    }
    std::string operator()(const UntoleratedTaint& r) const {
      return fmt::format("{}={}:{}", r.key, r.value, r.effect);
    }
    std::string operator()(const NoNodeFits&) const { return {}; }
  };
  return std::visit(Detail{}, cause.what);
}

}  // namespace

void CauseCollector::add(Cause cause, const Workload& workload) {
  if (!cause.demand)
    cause.demand = workload.template_node ? workload.template_node : workload.object;
  // A task from the command line with Flyte's defaults has no line: point at the node.
  if (!cause.demand && cause.pool != nullptr) {
    const Node name = cause.pool->node.at("metadata", "name");
    cause.demand = name ? name : cause.pool->node;
  }
  // For a block of configuration, point at its key.
  const bool is_block = cause.demand.is_mapping() && workload.origin == Workload::Origin::compiled;
  if (cause.where == Span{}) cause.where = is_block ? cause.demand.key_span() : cause.demand.span();
  const auto key = std::tuple(cause.what.index(), cause.where, detail_of(cause));
  const auto [at, is_new] = index_.try_emplace(key, causes_.size());
  if (is_new) causes_.push_back(std::move(cause));
  causes_[at->second].workloads.push_back(&workload);
}

}  // namespace gpulint
