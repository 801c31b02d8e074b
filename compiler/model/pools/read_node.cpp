#include "compiler/model/pools/read_node.h"

#include "compiler/ir/read.h"
#include "compiler/model/objects.h"
#include "compiler/model/read_pod.h"

namespace gpulint {

std::vector<PoolLabel> read_pool_labels(Node mapping) {
  std::vector<PoolLabel> labels;
  for (const LabelEntry& entry : read_string_map(mapping)) {
    PoolLabel label{.key = entry.key.value,
                    .known = PoolLabel::Known::exists,
                    .values = {},
                    .node = entry.key.node};
    if (entry.value.is_known()) {
      label.known = PoolLabel::Known::exact;
      label.values.push_back(entry.value.value());
    }
    labels.push_back(std::move(label));
  }
  return labels;
}

NodePool read_node(Node object) {
  NodePool pool;
  pool.source = NodePool::Source::node;
  pool.name = object_name(object);
  pool.node = object;
  pool.labels = read_pool_labels(object.at("metadata", "labels"));
  pool.labels_complete = true;
  const Node spec = object.get("spec");
  const Node taints = spec.get("taints");
  pool.taints = read_taints(taints);
  pool.taints_complete = !(taints.is_scalar() && taints.is_opaque());
  pool.unschedulable = read_bool(spec, "unschedulable").equals(true);
  const Node status = object.get("status");
  const Node allocatable = status.get("allocatable");
  const Node offered = allocatable.is_mapping() ? allocatable : status.get("capacity");
  pool.allocatable = read_resource_list(offered);
  pool.resources_complete = offered.is_mapping();
  return pool;
}

}  // namespace gpulint
