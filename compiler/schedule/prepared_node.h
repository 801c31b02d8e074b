#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/node_labels.h"
#include "compiler/schedule/node_selection.h"

namespace gpulint {

/// How much of a resource a node offers.
struct NodeResource {
  std::string name;
  std::int64_t amount = 0;  ///< Whole units; thousandths of `cpu`.
  bool is_open = false;
  Node node;
};

/// The amount of a resource that pods of DaemonSets request on a node. Other pods cannot use it.
struct Reservation {
  std::string resource;
  std::int64_t amount = 0;               ///< In the unit of NodeResource.
  std::vector<const Workload*> daemons;  ///< Sorted by name.
  std::string text = {};                 ///< "after the requests of DaemonSet `agent`".
};
/// The rest of an amount; all of it if `reserved` is null.
[[nodiscard]] std::int64_t left_after(const Reservation* reserved, std::int64_t amount);
/// Its text; empty if `reserved` is null.
[[nodiscard]] std::string reserved_text(const Reservation* reserved);

/// A node or pool, prepared to be compared with many pods. `pool` must outlive it.
struct PreparedNode {
  explicit PreparedNode(const NodePool& pool);

  const NodePool* pool;
  NodeLabels labels;
  std::vector<NodeResource> resources;  ///< Sorted by name.
  std::vector<Reservation> reserved;    ///< Empty unless a Placement fills it in.
  NodeName name;

  [[nodiscard]] const NodeResource* find_resource(std::string_view resource) const;
  /// Whether the node may offer a resource that it does not list.
  [[nodiscard]] bool may_offer_unlisted(std::string_view resource) const;
};

}  // namespace gpulint
