#include "compiler/schedule/describe.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

namespace gpulint {

namespace {

constexpr std::string_view operand_mark = ": ";  // in the role of an operand: operands.cpp

/// What a kind calls one of its several pod templates. check/baseline.cpp finds names of parts by
/// these nouns.
struct PartNoun {
  std::string_view group;   ///< How `apiVersion` begins.
  std::string_view kind;    ///< A part of `kind`.
  std::string_view prefix;  ///< How the role begins, before the part's name.
  std::string_view noun;
};
constexpr auto part_nouns =
    std::to_array<PartNoun>({{"apps.nvidia.com/", "NIMPipeline", "", "service"},
                             {"argoproj.io/", "Workflow", "", "template"},
                             {"batch.volcano.sh/", "", "tasks/", "task"},
                             {"jobset.x-k8s.io/", "", "", "replicated job"},
                             {"kubeflow.org/", "Job", "", "replica type"},
                             {"nvidia.com/", "Dynamo", "", "service"},
                             {"ray.io/", "", "worker/", "worker group"},
                             {"tekton.dev/", "", "", "task"}});

/// Roles that are fields of the kind, not names that users choose.
constexpr auto components = std::to_array<std::string_view>(
    {"decoder", "driver", "engine", "executor", "explainer", "head", "leader", "predictor",
     "router", "submitter", "trainer", "transformer", "worker"});

/// worker group `gpu`, the predictor; pod template `a/b` if the kind has no word for it.
[[nodiscard]] std::string describe_role(const Workload& workload) {
  const std::string_view role = workload.role;
  if (workload.origin == Workload::Origin::values) {
    return fmt::format("`{}`", role);
  }
  const std::string version = workload.api_version.value_or("");
  const std::string kind = workload.kind.value_or("");
  for (const PartNoun& part : part_nouns) {
    const bool is_of_kind = version.starts_with(part.group) && kind.find(part.kind) != kind.npos;
    if (!is_of_kind || !role.starts_with(part.prefix)) continue;
    return fmt::format("{} `{}`", part.noun, role.substr(part.prefix.size()));
  }
  return std::ranges::find(components, role) != components.end()
             ? fmt::format("the {}", role)
             : fmt::format("pod template `{}`", role);
}

/// A DaemonSet that a chart or custom resource creates. `colon`: of the operand's mark.
[[nodiscard]] std::string describe_operand(const Workload& workload, std::size_t colon) {
  const std::string owner = workload.role.substr(0, colon);
  return workload.origin == Workload::Origin::values
             ? fmt::format("DaemonSet `{}` ({} chart)", workload.name, owner)
             : fmt::format("DaemonSet `{}` (created from {})", workload.name, owner);
}

}  // namespace

std::string describe(const Workload& workload) {
  if (workload.origin == Workload::Origin::compiled) return fmt::format("task `{}`", workload.name);
  if (workload.origin == Workload::Origin::values && !workload.kind.is_known()) {
    return workload.name.empty() ? "a pod of this chart"
                                 : fmt::format("the pod in `{}`", workload.name);
  }
  const std::size_t colon = workload.role.find(operand_mark);
  if (colon != std::string::npos) return describe_operand(workload, colon);
  const std::string kind = workload.kind.value_or("pod");
  const std::string named = workload.name.empty() ? fmt::format("a {}", kind)
                                                  : fmt::format("{} `{}`", kind, workload.name);
  return workload.role.empty() ? named : fmt::format("{} of {}", describe_role(workload), named);
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
