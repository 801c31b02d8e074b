#include "compiler/model/pools/aks_pools.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/gpu_catalog.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/facts/mig_profile.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/provider_knowledge.h"
#include "compiler/model/pools/read_node.h"
#include "compiler/model/pools/taint_spec.h"

namespace gpulint {
namespace {

constexpr AksFields service_operator_fields{.labels = "nodeLabels",
                                            .taints = "nodeTaints",
                                            .size = "vmSize",
                                            .priority = "scaleSetPriority"};

}  // namespace

NodePool read_aks_pool(std::string name, Node values, const AksFields& fields,
                       NodePool::Source source) {
  NodePool pool;
  pool.source = source;
  pool.name = std::move(name);
  pool.node = values;
  pool.labels = read_pool_labels(values.get(fields.labels));
  std::vector<Value<std::string>> specs;
  bool is_open = false;
  for (const Node item : values.get(fields.taints).items()) {
    const Field<std::string> spec = read_string(item);
    is_open = is_open || !spec.is_known();
    if (spec.is_known()) specs.push_back({spec.value(), item});
  }
  TaintSpecs taints = parse_taint_specs(specs);
  pool.taints = std::move(taints.taints);
  pool.error = std::move(taints.error);
  pool.taints_complete = pool.error.empty() && !is_open;
  add_machine_type(pool, values.get(fields.size));
  add_aks_knowledge(pool, read_string(values, fields.priority).equals("Spot")
                              ? AksPriority::spot
                              : AksPriority::regular);
  return pool;
}

Node aks_gpu_profile(const NodePool& pool) {
  if (pool.source == NodePool::Source::terraform) return pool.node.get("gpu_instance");
  if (pool.source != NodePool::Source::service_operator) return {};
  return pool.node.get("gpuInstanceProfile");
}

std::optional<AksPartitions> aks_partitions(const NodePool& pool) {
  const Node field = aks_gpu_profile(pool);
  const std::string text = field ? read_string(field).value_or("") : std::string{};
  if (!is_listed(aks_gpu_profiles, text) || pool.machine_types.size() != 1) return std::nullopt;
  const Machine* const machine = find_machine(pool.machine_types.front().value);
  const auto devices = machine == nullptr ? std::nullopt : machine->count("nvidia.com/gpu");
  if (!devices || *devices < 1) return std::nullopt;
  const auto gpus = mig_gpus_of_product(machine->product);
  if (gpus.size() != 1) return std::nullopt;
  for (const MigGpuProfile& profile : gpus.front()->profiles) {
    const auto read = parse_mig_profile(profile.name);
    if (!read || text != fmt::format("MIG{}g", read->g)) continue;
    const auto name = mig_resource_name(*read);
    if (!name) return std::nullopt;
    return AksPartitions{*name, *devices * profile.max_instances, field};
  }
  return std::nullopt;
}

std::vector<NodePool> read_service_operator(const KubernetesObject& object) {
  if (!object.api_version.value_or("").starts_with("containerservice.azure.com/")) return {};
  const Node spec = object.node.get("spec");
  const auto read = [&](std::string name, Node values) {
    NodePool pool = read_aks_pool(std::move(name), values, service_operator_fields,
                                  NodePool::Source::service_operator);
    pool.own_labels_complete = has_known_keys(values.get(service_operator_fields.labels));
    return pool;
  };
  if (object.kind.equals("ManagedClustersAgentPool")) {
    // without `azureName` the pool has the object's name
    return {read(read_string(spec, "azureName").value_or(object_name(object.node)), spec)};
  }
  std::vector<NodePool> pools;
  if (!object.kind.equals("ManagedCluster")) return pools;
  for (const Node profile : spec.get("agentPoolProfiles").items()) {
    if (profile.is_mapping()) {
      pools.push_back(read(read_string(profile, "name").value_or(""), profile));
    }
  }
  return pools;
}

}  // namespace gpulint
