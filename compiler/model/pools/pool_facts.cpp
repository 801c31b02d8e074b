#include "compiler/model/pools/pool_facts.h"

#include <algorithm>
#include <string>

#include "compiler/model/facts/deprecation_catalog.h"

namespace gpulint {
namespace {

/// Adds the machines of each value; false if one is unknown.
[[nodiscard]] bool add_machines(const PoolLabel& label, std::vector<const Machine*>& machines) {
  const bool is_listed =
      label.known == PoolLabel::Known::exact || label.known == PoolLabel::Known::one_of;
  if (!is_listed || label.values.empty()) return false;
  const bool is_family = label.key.ends_with("/instance-family");
  for (const std::string& value : label.values) {
    const Machine* const machine = is_family ? nullptr : find_machine(value);
    std::vector<const Machine*> found =
        is_family ? machines_of_family(value) : std::vector<const Machine*>{};
    if (machine != nullptr) found.push_back(machine);
    if (found.empty()) return false;
    machines.insert(machines.end(), found.begin(), found.end());
  }
  return true;
}

}  // namespace

std::optional<std::vector<const Machine*>> machines_of(const NodePool& pool) {
  std::vector<const Machine*> machines;
  for (const Value<std::string>& type : pool.machine_types) {
    const Machine* const machine = find_machine(type.value);
    if (machine == nullptr) return std::nullopt;
    machines.push_back(machine);
  }
  if (!machines.empty()) return machines;
  for (const std::string_view end : {"/instance-type", "/instance-family"}) {
    for (const PoolLabel& label : pool.labels) {
      if (label.key.ends_with(end) && add_machines(label, machines)) return machines;
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> most_of(const NodePool& pool, std::string_view resource) {
  const auto machines = machines_of(pool);
  if (!machines) return std::nullopt;
  std::int64_t most = 0;
  for (const Machine* machine : *machines) {
    const auto count = machine->count(resource);
    if (!count) return std::nullopt;
    most = std::max(most, *count);
  }
  return most;
}

std::optional<int> newest_kubelet_minor(const Cluster& cluster) {
  std::optional<int> newest;
  for (const NodePool& pool : cluster.pools) {
    if (!pool.node) continue;
    const Node top = root(*pool.node.document());
    const bool is_of_eksctl = top.get("apiVersion").text().starts_with("eksctl.io/");
    const Node version = is_of_eksctl ? top.at("metadata", "version")
                                      : pool.node.at("status", "nodeInfo", "kubeletVersion");
    const auto minor = version.is_opaque() ? 0 : kubernetes_minor(version.text());
    if (minor) newest = std::max(*minor, newest.value_or(*minor));
  }
  return newest;
}

}  // namespace gpulint
