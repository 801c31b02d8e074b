#include "rules/support/causes.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gpulint::rules {
namespace {

/// What is found of tasks that nobody declared is as true as the guess that such tasks run.
void mark_assumed(Finding& finding, const std::vector<const Workload*>& workloads) {
  std::vector<std::string> names;
  for (const Workload* workload : workloads) {
    if (!workload->is_assumed) return;
    names.push_back(workload->name);
  }
  finding.at_most(Severity::warning)
      .add_help(fmt::format("no task is declared: assumed {} {}", names.size() == 1 ? "is" : "are",
                            list(names)));
}

/// Where a workload is named: of a template that several share, where it is used.
[[nodiscard]] Node workload_name_node(const Workload& workload) {
  if (workload.use) return workload.use;
  const Node name = workload.object.at("metadata", "name");
  if (name) return name;
  const Node task_name = workload.object.get("name");
  return task_name ? task_name : workload.object;
}

}  // namespace

std::string describe(const Workload& workload) {
  if (workload.origin == Workload::Origin::compiled) return fmt::format("task `{}`", workload.name);
  if (workload.origin == Workload::Origin::values && !workload.kind.is_known()) {
    return workload.name.empty() ? "a pod of these values"
                                 : fmt::format("the pod of the values `{}`", workload.name);
  }
  const std::string kind = workload.kind.value_or("pod");
  const std::string named = workload.name.empty() ? fmt::format("a {}", kind)
                                                  : fmt::format("{} `{}`", kind, workload.name);
  return workload.role.empty() ? named : fmt::format("{} ({})", named, workload.role);
}

std::string describe(const Cause& cause) { return describe(*cause.workloads.front()); }

std::string describe(const NodePool& pool) {
  const std::string_view noun = pool.source == NodePool::Source::node ? "node" : "pool";
  return pool.name.empty() ? fmt::format("a {}", noun) : fmt::format("{} `{}`", noun, pool.name);
}

void relate_workloads(Finding& finding, const std::vector<const Workload*>& workloads) {
  mark_assumed(finding, workloads);
  // A chart may do more than pass its values on.
  const auto is_of_values = [](const Workload* workload) {
    return workload->origin == Workload::Origin::values;
  };
  if (std::ranges::all_of(workloads, is_of_values)) finding.at_most(Severity::warning);
  if (workloads.size() == 1 && workloads.front()->origin != Workload::Origin::compiled) return;
  for (const Workload* workload : workloads) {
    finding.related(workload_name_node(*workload),
                    fmt::format("{} is kept off", describe(*workload)));
  }
}

void relate_workloads(Finding& finding, const Cause& cause) {
  relate_workloads(finding, cause.workloads);
}

std::string taint_text(const UntoleratedTaint& taint) {
  return taint.value.empty() ? fmt::format("{}:{}", taint.key, taint.effect)
                             : fmt::format("{}={}:{}", taint.key, taint.value, taint.effect);
}

std::string requirement_text(const UnmatchedRequirement& unmatched) {
  if (unmatched.wanted.empty()) return fmt::format("{} {}", unmatched.key, unmatched.op);
  if (unmatched.op == "In" && unmatched.wanted.size() == 1) {
    return fmt::format("{}={}", unmatched.key, unmatched.wanted.front());
  }
  return fmt::format("{} {} ({})", unmatched.key, unmatched.op, fmt::join(unmatched.wanted, ", "));
}

Node name_node(const NodePool& pool) {
  const Node of_object = pool.node.at("metadata", "name");
  if (of_object) return of_object;
  const Node of_entry = pool.node.get("name");
  if (of_entry) return of_entry;
  const Node of_azure = pool.node.get("azureName");
  return of_azure ? of_azure : pool.node;
}

bool relies_on_admission(const Corpus& corpus, const UntoleratedTaint& taint) {
  const bool is_open = corpus.placement->admission == ExtendedResourceToleration::unknown;
  return taint.is_for_admission && taint.miss == UntoleratedTaint::Miss::none &&
         (is_open || corpus.settings->admission_plugins.has_value());
}

Node value_node(const PoolLabel& label) {
  const Node value = label.node.value();
  return value.is_scalar() ? value : label.node;
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

}  // namespace gpulint::rules
