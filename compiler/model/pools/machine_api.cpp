#include "compiler/model/pools/machine_api.h"

#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/provider_knowledge.h"
#include "compiler/model/pools/read_node.h"
#include "compiler/model/read_pod.h"

namespace gpulint {

NodePool read_machine_set(const KubernetesObject& object) {
  NodePool pool;
  pool.source = NodePool::Source::machine_api;
  pool.name = object_name(object.node);
  pool.node = object.node;
  const Node machine = object.node.at("spec", "template", "spec");
  const Node labels = machine.at("metadata", "labels");
  pool.labels = read_pool_labels(labels);
  for (Taint& taint : read_taints(machine.get("taints"))) pool.taints.push_back(std::move(taint));
  pool.own_labels_complete = has_known_keys(labels);
  pool.taints_complete = !machine.get("taints").is_opaque();
  const Node provider = machine.at("providerSpec", "value");
  // GPUs that Google Cloud adds to a machine are no part of its type.
  const bool has_more = static_cast<bool>(provider.get("gpus"));
  for (const std::string_view key : {"instanceType", "vmSize", "machineType"}) {
    const Node type = provider.get(key);
    if (type.is_scalar() && !has_more) add_machine_type(pool, type);
  }
  add_gpu_knowledge(pool);
  return pool;
}

}  // namespace gpulint
