#include "compiler/schedule/describe.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

namespace gpulint {

std::string describe(const Workload& workload) {
  if (workload.origin == Workload::Origin::compiled) return fmt::format("task `{}`", workload.name);
  if (workload.origin == Workload::Origin::values && !workload.kind.is_known()) {
    return workload.name.empty()
               ? "a pod from these chart values"
               : fmt::format("the pod from the chart values under `{}`", workload.name);
  }
  const std::string kind = workload.kind.value_or("pod");
  const std::string named = workload.name.empty() ? fmt::format("a {}", kind)
                                                  : fmt::format("{} `{}`", kind, workload.name);
  constexpr std::string_view tasks = "tasks/";
  if (workload.role.starts_with(tasks) &&
      workload.api_version.value_or("").starts_with("batch.volcano.sh/")) {
    return fmt::format("task `{}` of {}", workload.role.substr(tasks.size()), named);
  }
  const bool is_of_argo = workload.api_version.value_or("").starts_with("argoproj.io/") &&
                          kind.find("Workflow") != std::string::npos;
  if (is_of_argo && !workload.role.empty()) {
    return fmt::format("template `{}` of {}", workload.role, named);
  }
  return workload.role.empty() ? named : fmt::format("{} ({})", named, workload.role);
}

std::string describe_operand(const Workload& workload) {
  const std::size_t colon = workload.role.find(": ");
  if (colon == std::string::npos) return describe(workload);
  const std::string owner = workload.role.substr(0, colon);
  return workload.origin == Workload::Origin::values
             ? fmt::format("DaemonSet `{}` ({} chart)", workload.name, owner)
             : fmt::format("DaemonSet `{}` (created from {})", workload.name, owner);
}

std::string describe(const NodePool& pool) {
  const std::string_view noun = pool.source == NodePool::Source::node ? "node" : "pool";
  return pool.name.empty() ? fmt::format("a {}", noun) : fmt::format("{} `{}`", noun, pool.name);
}

std::string describe(const Container& container) {
  return container.name.is_known() ? fmt::format("container `{}`", container.name.value())
                                   : std::string("a container");
}

Node value_node(const PoolLabel& label) {
  const Node value = label.node.value();
  return value.is_scalar() ? value : label.node;
}

Node name_node(const NodePool& pool) {
  const Node of_object = pool.node.at("metadata", "name");
  if (of_object) return of_object;
  const Node of_entry = pool.node.get("name");
  if (of_entry) return of_entry;
  const Node of_azure = pool.node.get("azureName");
  return of_azure ? of_azure : pool.node;
}

std::string list(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    text += fmt::format("{}`{}`", i == 0 ? "" : ", ", names[i]);
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

}  // namespace gpulint
