#include "compiler/place/placements.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "compiler/api_validation/api_validation.h"
#include "compiler/flyte/assume.h"
#include "compiler/flyte/pod_manifest.h"
#include "compiler/ir/key_path.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/model/kinds/runtime_classes.h"
#include "compiler/model/objects.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/extended_resource_toleration.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/pod_claims.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/queued_pods.h"
#include "compiler/schedule/tolerate.h"
#include "compiler/schedule/virtual_resources.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

/// What the API server says of one workload: of its whole object where that is of a known kind.
[[nodiscard]] std::vector<ApiProblem> refusals_of(const Workload& workload) {
  const KubernetesObject object{workload.object, workload.api_version, workload.kind};
  // Pods that an operator writes in fields of its own have no PodSpec to check.
  if (!is_validated(object) && workload.pod.node.get("containers").size() == 0) return {};
  return validate_workload(workload, key_path(workload.pod.node));
}

[[nodiscard]] bool has_placeholder(const std::vector<ResourceEntry>& entries) {
  return std::ranges::any_of(entries, [](const ResourceEntry& e) { return e.amount.is_opaque(); });
}

[[nodiscard]] bool has_placeholder(const std::vector<SelectorTerm>& terms) {
  const auto is_open = [](const SelectorRequirement& requirement) {
    return requirement.key.is_opaque() || requirement.op.is_opaque() ||
           std::ranges::any_of(requirement.values, [](const auto& v) { return v.is_opaque(); });
  };
  return std::ranges::any_of(terms, [&](const SelectorTerm& term) {
    return std::ranges::any_of(term.expressions, is_open) ||
           std::ranges::any_of(term.fields, is_open);
  });
}

/// Whether something in the pod is filled in later, so that its text is not what the server reads.
[[nodiscard]] bool has_placeholder(const PodSpec& pod) {
  const auto is_open = [](const Toleration& t) {
    return t.key.is_opaque() || t.op.is_opaque() || t.value.is_opaque() || t.effect.is_opaque();
  };
  const auto is_open_label = [](const LabelEntry& entry) { return entry.value.is_opaque(); };
  const auto is_open_container = [](const Container& container) {
    return has_placeholder(container.resources.limits) ||
           has_placeholder(container.resources.requests);
  };
  return std::ranges::any_of(pod.tolerations, is_open) ||
         std::ranges::any_of(pod.node_selector, is_open_label) ||
         has_placeholder(pod.node_affinity.required) ||
         has_placeholder(pod.node_affinity.preferred) || pod.scheduler_name.is_opaque() ||
         std::ranges::any_of(pod.containers, is_open_container);
}

/// The same of a compiled pod, which is written out for that.
[[nodiscard]] std::vector<ApiProblem> refusals_of(const flyte::CompiledPod& pod) {
  if (has_placeholder(pod.workload.pod)) return {};
  const SourceFile file(0, "", flyte::pod_manifest(pod));
  const auto documents = parse_file(file);
  const Node object = documents.empty() ? Node{} : root(*documents.front());
  std::vector<ApiProblem> problems =
      validate_object({object, read_string(object, "apiVersion"), read_string(object, "kind")});
  // Flyte names pod and container after the execution, whatever the task is called.
  std::erase_if(problems, [](const ApiProblem& problem) {
    return problem.path == "metadata.name" || problem.path == "spec.containers[0].name";
  });
  for (ApiProblem& problem : problems) problem.node = {};  // of a document that ends here
  return problems;
}

/// The pods of a scope's tasks, in the order of Corpus::compiled, and the tasks that have none.
struct Tasks {
  std::vector<const flyte::CompiledPod*> pods;
  std::vector<const flyte::CompiledPod*> refused;
  std::map<std::string, std::size_t> counts;  ///< Pods by the name of their task.
};

/// One for each kind of GPU, where no task is declared and declared pools have GPUs; what nodes
/// state the analysis has taken care of.
void assume_tasks(const Scope& scope, const flyte::LoadedRelease& loaded, Placements& placements,
                  Tasks& tasks) {
  const Cluster& cluster = scope.corpus.cluster;
  const bool has_gpus = std::ranges::any_of(
      cluster.pools, [](const NodePool& pool) { return has_accelerators(pool) == Ternary::yes; });
  if (!has_gpus || !loaded.has_propeller || !loaded.propeller.problems.empty()) return;
  for (const flyte::Task& task : flyte::assumed_tasks(cluster, loaded.propeller)) {
    flyte::CompiledPod& pod =
        placements.assumed.emplace_back(compile_task(loaded.propeller, loaded.platform, task));
    if (!loaded.documents.empty()) {
      pod.source = scope.corpus.sources->file(loaded.documents.front()->file).path();
    }
    (pod.error.empty() ? tasks.pods : tasks.refused).push_back(&pod);
    ++tasks.counts[pod.task];
  }
}

[[nodiscard]] Tasks tasks_of(const Scope& scope, Placements& placements) {
  Tasks tasks;
  for (const flyte::Installation& installation : scope.flyte.installations) {
    const flyte::LoadedRelease& loaded = installation.loaded;
    if (loaded.is_partial) continue;  // what a pod lacks, the values that are missing may give it
    if (installation.tasks.empty() && !flyte::has_python_tasks(scope.settings)) {
      assume_tasks(scope, loaded, placements, tasks);
    }
    for (const flyte::Task& task : installation.tasks) {
      if (loaded.propeller.problems.empty() && task.problem.empty()) continue;
      tasks.refused.push_back(
          &placements.refused.emplace_back(compile_task(loaded.propeller, loaded.platform, task)));
    }
    for (const flyte::CompiledPod& pod : installation.pods) {
      (pod.error.empty() ? tasks.pods : tasks.refused).push_back(&pod);
      ++tasks.counts[pod.task];
    }
  }
  return tasks;
}

[[nodiscard]] std::string name_of(const flyte::CompiledPod& pod, const Tasks& tasks) {
  const std::string name = pod.workload.display_name();
  return tasks.counts.at(pod.task) > 1 ? fmt::format("{} ({})", name, pod.source) : name;
}

/// The paths of the files that a workload was read from, bases and patches included.
[[nodiscard]] std::set<std::string> paths_of(const Scope& scope, const Workload& workload) {
  const Document* const document = workload.object.document();
  if (document == nullptr) return {};
  std::set<FileId> files;
  for (const NodeOrigin& origin : document->origins) files.insert(origin.document->file);
  if (files.empty()) files.insert(document->file);
  std::set<std::string> paths;
  for (const FileId file : files) paths.insert(scope.corpus.sources->file(file).path());
  return paths;
}

/// The one of the paths that a namesake was not read from; of an overlay its folder.
[[nodiscard]] std::string own_path(const std::set<std::string>& paths,
                                   const std::map<std::string, std::size_t>& counts) {
  for (const std::string& path : paths) {
    if (counts.at(path) > 1) continue;
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return paths.size() == 1 || folder.empty() ? path : folder;
  }
  return {};
}

/// Objects of one name, as overlays of one base make them, and templates without a name are called
/// by where they are from, too.
void tell_apart(const Scope& scope, const std::vector<const Workload*>& workloads,
                std::vector<std::string>& names) {
  std::map<std::string, std::vector<std::size_t>> by_name;
  for (std::size_t w = 0; w < workloads.size(); ++w) by_name[names[w]].push_back(w);
  for (const auto& [name, namesakes] : by_name) {
    if (namesakes.size() == 1 && !workloads[namesakes.front()]->name.empty()) continue;
    std::map<std::string, std::size_t> counts;
    for (const std::size_t w : namesakes) {
      for (const std::string& path : paths_of(scope, *workloads[w])) ++counts[path];
    }
    for (const std::size_t w : namesakes) {
      const std::string path = own_path(paths_of(scope, *workloads[w]), counts);
      if (!path.empty()) names[w] = fmt::format("{} ({})", name, path);
    }
  }
}

/// The workloads that are asked about, not those that are only there to be compared with or that
/// are part of others.
[[nodiscard]] std::vector<const Workload*> workloads_of(const Scope& scope,
                                                        const Project& project) {
  std::vector<const Workload*> workloads;
  for (const Workload& workload : scope.corpus.workloads) {
    if (workload.completes_others) continue;
    if (project.context_only.contains(workload.object.span().file)) continue;
    workloads.push_back(&workload);
  }
  return workloads;
}

/// The workloads as they reach the scheduler: those that Kueue admits have what it adds.
[[nodiscard]] std::vector<const Workload*> as_admitted(const Scope& scope,
                                                       std::vector<const Workload*> workloads,
                                                       Placements& placements) {
  for (Workload& queued : find_queued_pods(scope.corpus)) {
    if (is_flavor(queued)) continue;
    const auto written = std::ranges::find_if(workloads, [&](const Workload* workload) {
      return workload->template_node == queued.template_node && workload->object == queued.object;
    });
    if (written != workloads.end()) {
      *written = &placements.admitted.emplace_back(std::move(queued));
    }
  }
  return workloads;
}

/// Whether a toleration that the plugin adds is what lets a pod onto some node.
[[nodiscard]] bool needs_admission(const Cluster& cluster, const std::vector<PreparedPod>& pods) {
  std::map<std::string, const Taint*> taints;
  for (const NodePool& pool : cluster.pools) {
    for (const Taint& taint : pool.taints) taints.emplace(to_string(taint), &taint);
  }
  return std::ranges::any_of(pods, [&](const PreparedPod& pod) {
    return std::ranges::any_of(taints, [&](const auto& entry) {
      const Taint& taint = *entry.second;
      return is_hard(taint) == Ternary::yes &&
             tolerated(pod.spec->tolerations, taint) == Ternary::no &&
             pod.requests.find(taint.key.value_or("")) != nullptr;
    });
  });
}

[[nodiscard]] std::string describe_admission(const Cluster& cluster) {
  return fmt::format(
      "`{}` shows that the cluster is {}, which adds tolerations for requested GPUs; `--provider "
      "generic` places pods without them",
      cluster.provider_evidence, provider_name(cluster.provider));
}

[[nodiscard]] PodSpec first_pod(const Project& project) {
  for (const Scope& scope : project.scopes) {
    if (!scope.corpus.workloads.empty()) return scope.corpus.workloads.front().pod;
    for (const Document* document : scope.corpus.documents) return read_pod_spec(root(*document));
  }
  return {};
}

void place(const Scope& scope, const Project& project, Placements& placements) {
  Tasks tasks = tasks_of(scope, placements);
  const std::vector<const Workload*> written = workloads_of(scope, project);
  std::vector<const Workload*> workloads = as_admitted(scope, written, placements);
  for (const flyte::CompiledPod* pod : tasks.pods) {
    Workload& admitted = placements.admitted.emplace_back(pod->workload);
    add_runtime_class(scope.corpus.runtime_classes, admitted);
    workloads.push_back(&admitted);
  }
  if (workloads.empty() && tasks.refused.empty()) return;
  placements.node_count += scope.corpus.cluster.pools.size();
  const ExtendedResourceToleration admission = assumed_admission(scope.corpus);
  std::vector<PreparedPod> pods = prepare_pods(workloads, admission, scope.jobs);
  const bool is_undeclared = admission == ExtendedResourceToleration::on &&
                             admission_of(scope.settings) == ExtendedResourceToleration::unknown;
  if (is_undeclared && needs_admission(scope.corpus.cluster, pods)) {
    placements.admission_note = describe_admission(scope.corpus.cluster);
  }
  attach_claims(workloads, pods, scope.corpus.objects);
  const Placement& placement = placements.placements.emplace_back(
      std::move(workloads), std::move(pods), scope.corpus.cluster, virtual_resources(scope.corpus),
      scope.placement.operands);
  PlacementReport report{.placement = placement, .names = {}, .refusals = {}};
  report.cluster = scope.name;
  const FindObstacles gates = make_gates(scope.corpus, scope.corpus.placement);
  for (const Workload* workload : written) {
    report.obstacles.push_back(gates(*workload));
    report.names.push_back(workload->display_name());
    report.refusals.push_back(refusals_of(*workload));
    report.compiled.push_back(nullptr);
  }
  tell_apart(scope, written, report.names);
  for (const flyte::CompiledPod* pod : tasks.pods) {
    report.obstacles.push_back(gates(*placement.workloads()[report.names.size()]));
    report.names.push_back(name_of(*pod, tasks));
    report.refusals.push_back(refusals_of(*pod));
    report.compiled.push_back(pod);
  }
  report.refused_tasks = std::move(tasks.refused);
  placements.reports.push_back(std::move(report));
  placements.scopes.push_back(&scope);
}

}  // namespace

Placements place_workloads(const Project& project) {
  Placements placements;
  for (const Scope& scope : project.scopes) place(scope, project, placements);
  return placements;
}

std::vector<Toleration> tolerations_of_first_pod(const Project& project) {
  return admit_extended_resources(first_pod(project)).tolerations;
}

}  // namespace gpulint
