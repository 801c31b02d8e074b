#include "compiler/project/not_compared.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "compiler/flyte/base_pod_template.h"
#include "compiler/flyte/complete_release.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/pool_accelerators.h"

namespace gpulint {
namespace {

constexpr std::size_t most_lines = 3;

[[nodiscard]] bool concerns_gpus(const Workload& workload) {
  return workload.origin == Workload::Origin::manifest &&
         gpu_relation(workload.pod) != GpuRelation::none;
}

/// The number of pods and Flyte releases of a scope that can be compared with nodes.
[[nodiscard]] std::size_t count_comparable(const Scope& scope) {
  return static_cast<std::size_t>(std::ranges::count_if(scope.corpus.workloads, concerns_gpus)) +
         scope.flyte.installations.size();
}

[[nodiscard]] std::string name_files(const Project& project, const std::vector<FileId>& files) {
  const std::string& first = project.sources.file(files.front()).path();
  const std::size_t more = files.size() - 1;
  return more == 0 ? first
                   : fmt::format("{} and {} more file{}", first, more, more == 1 ? "" : "s");
}

/// Files with nodes that may have GPUs.
[[nodiscard]] std::set<FileId> find_gpu_nodes(const Project& project) {
  std::set<FileId> files;
  for (const Scope& scope : project.scopes) {
    for (const NodePool& pool : scope.corpus.cluster.pools) {
      if (has_accelerators(pool) != Ternary::no) files.insert(pool.node.span().file);
    }
  }
  return files;
}

struct Line {
  std::size_t workloads = 0;
  std::string text;
};

/// Adds a line for Python sources with tasks whose Flyte release is unknown.
void add_uncompared_tasks(const Project& project, std::vector<std::string>& texts) {
  for (const NotCompared& apart : project.tasks_not_compared) {
    texts.push_back(fmt::format("not compared: tasks in {} with a Flyte release: {}",
                                name_files(project, apart.files), apart.because));
  }
}

/// Adds a line if the PodTemplate that all pods of a release start from is unknown.
void add_unknown_base(const Project& project, const flyte::Installation& installation,
                      std::vector<std::string>& lines) {
  const flyte::LoadedRelease& loaded = installation.loaded;
  const flyte::BaseChoice base = flyte::choose_base(
      loaded.propeller.pod_templates.get(),
      loaded.propeller.k8s.tree.find("default-pod-template-name"), flyte::Task());
  if (!base.is_open || base.wanted.empty() || loaded.documents.empty()) return;
  lines.push_back(fmt::format(
      "not compared: tolerations of tasks under {}: no PodTemplate `{}` for all tasks is among the "
      "inputs, but `default-pod-template-name` requires it",
      project.sources.file(loaded.documents.front()->file).path(), base.wanted));
}

}  // namespace

std::vector<std::string> describe_partial_releases(const Project& project) {
  std::vector<std::string> lines;
  for (const Scope& scope : project.scopes) {
    const bool has_tasks = !scope.settings.tasks.empty() || !scope.settings.task_specs.empty();
    if (scope.corpus.cluster.pools.empty() && !has_tasks) continue;
    for (const flyte::Installation& installation : scope.flyte.installations) {
      add_unknown_base(project, installation, lines);
      if (!installation.loaded.is_partial || installation.loaded.documents.empty()) continue;
      const Document& document = *installation.loaded.documents.front();
      const auto missing = flyte::missing_values(document, scope.corpus.documents, project.sources);
      lines.push_back(
          fmt::format("not compared: tasks of the Flyte release in {}: some of its values are "
                      "not among the inputs{}",
                      project.sources.file(document.file).path(),
                      missing.empty() ? "" : fmt::format(": {}", fmt::join(missing, ", "))));
    }
  }
  std::ranges::sort(lines);
  const auto repeated = std::ranges::unique(lines);
  lines.erase(repeated.begin(), repeated.end());
  if (lines.size() > most_lines) {
    const std::size_t more = lines.size() - most_lines;
    lines.resize(most_lines);
    lines.push_back(
        fmt::format("not compared: {} more Flyte release{}", more, more == 1 ? "" : "s"));
  }
  return lines;
}

namespace {

/// The number of workloads that nodes could be compared with, for each file that is alone in its
/// scope.
[[nodiscard]] std::map<FileId, std::size_t> count_by_file(const Project& project) {
  std::map<FileId, std::size_t> comparable;
  for (const Scope& scope : project.scopes) {
    std::vector<FileId> files = scope.files;
    std::erase_if(files, [&](FileId file) {
      return std::ranges::find(scope.joined_objects, file) != scope.joined_objects.end();
    });
    if (files.size() == 1) comparable[files.front()] = count_comparable(scope);
  }
  return comparable;
}

}  // namespace

Uncompared find_uncompared(const Project& project) {
  std::set<FileId> reported;
  Uncompared found;
  found.are_gpus_known = !find_gpu_nodes(project).empty();
  if (found.are_gpus_known) {
    for (const NotCompared& apart : project.not_compared)
      reported.insert(apart.files.begin(), apart.files.end());
  }
  std::set<std::string> seen;  // scopes may share a file
  const auto add = [&](std::string name, std::size_t place) {
    if (!seen.insert(fmt::format("{} {}", place, name)).second) return;
    if (++found.workloads == 1) found.example = std::move(name);
  };
  for (const Scope& scope : project.scopes) {
    if (!scope.corpus.cluster.pools.empty()) {
      found.are_nodes_known = true;
      continue;
    }
    for (const Workload& workload : scope.corpus.workloads) {
      const Span span = workload.pod.node.span();
      const FileId file = workload.object.span().file;
      if (reported.contains(file) || project.context_only.contains(file) ||
          !concerns_gpus(workload)) {
        continue;
      }
      add(fmt::format("{} ({})", workload.display_name(), project.sources.file(span).path()),
          span.begin);
    }
    // Python tasks whose release is unknown. Tasks of gpulint.yaml are in every scope.
    const bool is_without_release =
        scope.flyte.installations.empty() && project.config.config.top.settings.tasks.empty() &&
        std::ranges::any_of(scope.files,
                            [&](FileId file) { return project.python.contains(file); });
    const flyte::Analysis under_defaults =
        is_without_release ? flyte::analyze_defaults(scope.corpus, 1) : flyte::Analysis{};
    const flyte::Analysis& flyte = is_without_release ? under_defaults : scope.flyte;
    for (const flyte::Installation& installation : flyte.installations) {
      for (const flyte::CompiledPod& pod : installation.pods) {
        const bool is_left_out = pod.assumed || !pod.error.empty();
        if (is_left_out || gpu_relation(pod.workload.pod) == GpuRelation::none) continue;
        add("task " + pod.task, 0);
      }
    }
  }
  return found;
}

std::vector<std::string> describe_not_compared(const Project& project) {
  std::map<FileId, std::size_t> comparable = count_by_file(project);
  const std::set<FileId> gpu_nodes = find_gpu_nodes(project);
  std::vector<Line> lines;
  for (const NotCompared& apart : project.not_compared) {
    std::vector<FileId> nodes = apart.nodes;
    std::erase_if(nodes, [&](FileId file) { return !gpu_nodes.contains(file); });
    std::size_t workloads = 0;
    std::vector<FileId> files;
    for (const FileId file : apart.files) {
      if (comparable[file] == 0) continue;
      workloads += comparable[file];
      files.push_back(file);
    }
    if (files.empty() || nodes.empty()) continue;
    lines.push_back(
        {workloads, fmt::format("not compared: {} workload{} in {} with the nodes in {}: {}",
                                workloads, workloads == 1 ? "" : "s", name_files(project, files),
                                name_files(project, nodes), apart.because)});
  }
  std::ranges::stable_sort(lines, std::ranges::greater(), &Line::workloads);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i) {
    texts.push_back(std::move(lines[i].text));
  }
  if (lines.size() > most_lines) {
    std::size_t workloads = 0;
    for (std::size_t i = most_lines; i < lines.size(); ++i) workloads += lines[i].workloads;
    texts.push_back(
        fmt::format("not compared: {} more workload{}", workloads, workloads == 1 ? "" : "s"));
  }
  add_uncompared_tasks(project, texts);
  if (!texts.empty()) {
    texts.push_back(
        project.config_path.empty()
            ? "to compare them, name the files in one command or run `gpulint init`"
            : fmt::format("to compare them, name the files in one command or in `scopes` of {}",
                          project.config_path));
  }
  std::ranges::move(describe_partial_releases(project), std::back_inserter(texts));
  return texts;
}

}  // namespace gpulint
