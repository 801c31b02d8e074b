#include "compiler/model/pools/compute_class.h"

#include <string>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/provider_knowledge.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

[[nodiscard]] NodePool read_priority(const std::string& name, Node object, Node priority) {
  NodePool pool;
  pool.source = NodePool::Source::compute_class;
  pool.name = name;
  pool.node = priority;
  set_label(pool, "cloud.google.com/compute-class", PoolLabel::Known::exact, {name},
            object.at("metadata", "name"));
  add_machine_type(pool, priority.get("machineType"));
  const Node gpu = priority.get("gpu");
  add_gke_knowledge(pool, {.accelerator = read_string(gpu, "type"),
                           .count = read_int(gpu, "count"),
                           .partition_size = {},
                           .is_spot = read_bool(priority, "spot").equals(true)});
  // GKE makes up the pool's name, and tolerates its own taints for the pods of the class.
  std::erase_if(pool.labels, [](const PoolLabel& label) {
    return label.key == "cloud.google.com/gke-nodepool";
  });
  pool.provider_taints.clear();
  return pool;
}

}  // namespace

std::vector<NodePool> read_compute_class(const KubernetesObject& object) {
  std::vector<NodePool> pools;
  const bool is_class = object.api_version.value_or("").starts_with("cloud.google.com/") &&
                        object.kind.equals("ComputeClass");
  const std::string name = object_name(object.node);
  if (!is_class || name.empty()) return pools;
  const Node spec = object.node.get("spec");
  if (!read_bool(spec.get("nodePoolAutoCreation"), "enabled").equals(true)) return pools;
  for (const Node priority : spec.get("priorities").items()) {
    if (!priority.is_mapping() || priority.get("nodepools")) continue;
    pools.push_back(read_priority(name, object.node, priority));
  }
  return pools;
}

}  // namespace gpulint
