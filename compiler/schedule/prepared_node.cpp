#include "compiler/schedule/prepared_node.h"

#include <algorithm>

#include "compiler/model/facts/gpu_resource.h"
#include "compiler/schedule/pod_requests.h"

namespace gpulint {

std::int64_t left_after(const Reservation* reserved, std::int64_t amount) {
  return reserved == nullptr ? amount : std::max<std::int64_t>(amount - reserved->amount, 0);
}

std::string reserved_text(const Reservation* reserved) {
  return reserved == nullptr ? std::string() : reserved->text;
}

PreparedNode::PreparedNode(const NodePool& source) : pool(&source), labels(source) {
  const bool is_node = source.source == NodePool::Source::node;
  name = {is_node ? std::string_view(source.name) : std::string_view{}, !is_node};
  for (const ResourceEntry& entry : source.allocatable) {
    const bool is_known = entry.amount.is_known();
    const Quantity amount = is_known ? entry.amount.value() : Quantity{};
    resources.push_back(
        {entry.name.value, count_of(entry.name.value, amount), !is_known, entry.name.node});
  }
  std::ranges::stable_sort(resources, {}, &NodeResource::name);
}

const NodeResource* PreparedNode::find_resource(std::string_view resource) const {
  const auto found = std::ranges::lower_bound(resources, resource, {}, &NodeResource::name);
  return found != resources.end() && found->name == resource ? &*found : nullptr;
}

bool PreparedNode::may_offer_unlisted(std::string_view resource) const {
  const std::vector<std::string>& unknown = pool->unknown_resources;
  return !pool->resources_complete || std::ranges::find(unknown, resource) != unknown.end();
}

}  // namespace gpulint
