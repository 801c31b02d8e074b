#include "compiler/project/project_notes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

#include <fmt/format.h>

#include "compiler/base/counted.h"
#include "compiler/base/shell_word.h"
#include "compiler/flyte/accelerator.h"
#include "compiler/flyte/assume.h"
#include "compiler/flyte/task.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/project/not_compared.h"
#include "compiler/project/read_summary.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_label_value(const Cluster& cluster, const std::string& device) {
  return std::ranges::any_of(cluster.pools, [&](const NodePool& pool) {
    return std::ranges::any_of(pool.labels, [&](const PoolLabel& label) {
      return std::ranges::find(label.values, device) != label.values.end();
    });
  });
}

[[nodiscard]] bool names_nodes(const Config& config) {
  const auto names = [](const ScopeConfig& scope) {
    return !scope.nodes.empty() || scope.settings.node_pools;
  };
  return names(config.top) || std::ranges::any_of(config.scopes, names);
}

}  // namespace

std::vector<std::string> describe_unmerged(const Project& project) {
  constexpr std::size_t most_lines = 5;
  std::vector<std::string> lines;
  std::set<std::string> reported;
  for (const Scope& scope : project.scopes) {
    for (const kustomize::Unmerged& each : scope.corpus.unmerged) {
      if (!reported.insert(each.folder).second || reported.size() > most_lines) continue;
      const SourceFile& file = project.sources.file(each.place.span());
      lines.push_back(
          fmt::format("{}:{}: patch not merged: {}; check the output of kustomize: "
                      "kubectl kustomize {} | gpulint check - nodes.yaml",
                      file.path(), file.position(each.place.span().begin).line, each.reason,
                      shell_word(each.folder)));
    }
  }
  if (reported.size() > most_lines) {
    const std::size_t more = reported.size() - most_lines;
    lines.push_back(
        fmt::format("patches not merged in {} more folder{}", more, more == 1 ? "" : "s"));
  }
  return lines;
}

std::string describe_outside(const Project& project) {
  if (project.outside.empty()) return {};
  const std::size_t more = project.outside.size() - 1;
  return fmt::format(
      "{}{}: named by a kustomization, but outside of the current folder and its repository; not "
      "read (--allow-outside permits it)",
      project.outside.front(), more == 0 ? "" : fmt::format(" and {} more", more));
}

std::string describe_unknown_amounts(const Project& project) {
  std::map<std::string_view, Span> variables;  // by text, each with its first place
  const auto add = [&](const std::vector<ResourceEntry>& entries) {
    for (const ResourceEntry& entry : entries) {
      if (!entry.amount.is_opaque() || !is_gpu_resource(entry.name.value)) continue;
      const Span span = entry.amount.span();
      const std::string_view text = project.sources.text(span);
      const std::size_t begin = text.find("${");
      const std::size_t end = text.find('}', begin);
      if (begin == text.npos || end == text.npos) continue;
      const std::string_view variable = text.substr(begin, end + 1 - begin);
      if (variable.find_first_of(":=-. (") != variable.npos) continue;  // Terraform and others
      const auto [first, is_new] = variables.try_emplace(variable, span);
      if (!is_new) first->second = std::min(first->second, span);
    }
  };
  for (const Scope& scope : project.scopes) {
    for (const auto* workloads : {&scope.corpus.workloads, &scope.corpus.fragments}) {
      for (const Workload& workload : *workloads) {
        for (const Container& container : workload.pod.containers) {
          add(container.resources.limits);
          add(container.resources.requests);
        }
      }
    }
  }
  if (variables.empty()) return {};
  const auto first =
      std::ranges::min_element(variables, {}, [](const auto& each) { return each.second; });
  const SourceFile& file = project.sources.file(first->second);
  const std::size_t more = variables.size() - 1;
  return fmt::format("`{}` in {}:{} has no default: its value is unknown{}", first->first,
                     file.path(), file.position(first->second.begin).line,
                     more == 0   ? ""
                     : more == 1 ? "; the same is true of 1 more variable"
                                 : fmt::format("; the same is true of {} more variables", more));
}

std::vector<std::string> describe_unknown_devices(const Project& project) {
  std::vector<std::string> lines;
  for (const Scope& scope : project.scopes) {
    for (const flyte::Task& task :
         flyte::declared_tasks(scope.settings, scope.settings.flyte_version)) {
      if (!task.accelerator) continue;
      const std::string& device = task.accelerator->device.value;
      const std::string meant = flyte::suggest_accelerator(device);
      if (meant.empty() || is_label_value(scope.corpus.cluster, device)) continue;
      std::string line = fmt::format("task `{}`: unknown accelerator `{}`; did you mean `{}`?",
                                     task.name, device, meant);
      if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
    }
  }
  return lines;
}

std::string describe_uncompared(const Project& project) {
  const Uncompared found = find_uncompared(project);
  if (found.workloads == 0) return {};
  const std::string count =
      found.workloads == 1 ? "1 workload was" : fmt::format("{} workloads were", found.workloads);
  if (!found.are_nodes_known) {
    return fmt::format("{} not compared with any nodes: {}", count, nodes_help);
  }
  const bool is_configured = names_nodes(project.config.config);
  if (!is_configured && !found.are_gpus_known) return {};
  return fmt::format("{} not compared with any nodes, such as {}; {}", count, found.example,
                     is_configured
                         ? fmt::format("add the files to `workloads` in {}", project.config_path)
                         : "compare all of them with the nodes of a file: --nodes FILE");
}

std::string describe_missing(const Project& project) {
  const ReadSummary read = summarize_reading(project);
  std::size_t tasks = read.tasks;  // those of --task if no release runs them
  for (const Scope& scope : project.scopes) {
    tasks = std::max(tasks, scope.settings.task_specs.size());
  }
  if (read.nodes + read.pools == 0 && tasks + read.releases > 0) {
    const std::string what = tasks > 0 ? count_text(tasks, "task") : "tasks";
    return fmt::format("no nodes among the inputs to place {} on; {}", what, nodes_help);
  }
  const bool has_values = std::ranges::any_of(project.scopes, [](const Scope& scope) {
    return std::ranges::any_of(scope.corpus.fragments, [](const Workload& part) {
      return part.origin == Workload::Origin::values;
    });
  });
  return fmt::format(
      "no workloads among the inputs; name a manifest{}, or a Flyte task: --task name=train,gpu=1",
      has_values ? " (only `check` reads the pods in chart values)" : "");
}

}  // namespace gpulint
