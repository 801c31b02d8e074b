#include "compiler/model/pools/config_pools.h"

#include <string>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/read_node.h"
#include "compiler/model/pools/taint_spec.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

/// Taints as mappings or as `KEY=VALUE:EFFECT`.
void take_declared_taints(Node list, NodePool& pool) {
  std::vector<Value<std::string>> specs;
  for (const Node item : list.items()) {
    if (!item.is_scalar()) continue;
    const Field<std::string> text = read_string(item);
    if (text.is_known()) specs.push_back({text.value(), item});
  }
  TaintSpecs parsed = parse_taint_specs(specs);
  pool.error = std::move(parsed.error);
  pool.taints = read_taints(list);
  for (Taint& taint : parsed.taints) pool.taints.push_back(std::move(taint));
  pool.taints_complete = true;
}

}  // namespace

std::vector<NodePool> read_config_pools(Node list) {
  std::vector<NodePool> pools;
  for (const Node entry : list.items()) {
    if (!entry.is_mapping()) continue;
    NodePool pool;
    pool.source = NodePool::Source::gpulint_config;
    pool.name = read_string(entry, "name").value_or("");
    pool.node = entry;
    pool.labels = read_pool_labels(entry.get("labels"));
    pool.own_labels_complete = true;
    take_declared_taints(entry.get("taints"), pool);
    pool.unschedulable = read_bool(entry, "unschedulable").equals(true);
    const Node allocatable = entry.get("allocatable");
    pool.allocatable = read_resource_list(allocatable);
    pool.resources_complete = allocatable.is_mapping();
    add_machine_type(pool, entry.get("machineType"));
    pools.push_back(std::move(pool));
  }
  return pools;
}

}  // namespace gpulint
