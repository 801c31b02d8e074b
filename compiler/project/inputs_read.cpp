#include "compiler/project/inputs_read.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/ir/node.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/objects.h"
#include "compiler/project/boundary.h"

namespace gpulint {
namespace {

/// Kinds that rules read, without pods or nodes.
constexpr auto kinds_read = std::to_array<std::string_view>(
    {"ClusterPolicy", "DeviceClass", "KubeletConfiguration", "LimitRange", "Node", "NVIDIADriver",
     "PersistentVolume", "PersistentVolumeClaim", "ResourceClaim", "ResourceClaimTemplate",
     "ResourceQuota", "ResourceSlice", "RuntimeClass"});

/// Keys in the configuration of Flyte, the device plugin and the MIG manager.
constexpr auto keys_read = std::to_array<std::string_view>(
    {"task_resources", "task_resource_defaults", "mig-configs", "timeSlicing", "migStrategy"});

[[nodiscard]] bool is_configuration_key(Node value) {
  const std::string_view key = value.key().text();
  if (key.empty()) return false;
  if (equal_fold(key, "k8s")) return equal_fold(value.parent().key().text(), "plugins");
  return std::ranges::find(keys_read, key) != keys_read.end();
}

[[nodiscard]] bool reads_document(const Document& document) {
  if (!document.errors.empty() || document.host != nullptr) return true;
  for (const KubernetesObject& object : find_objects(root(document))) {
    const std::string_view kind = object.node.get("kind").text();
    if (std::ranges::find(kinds_read, kind) != kinds_read.end()) return true;
    if (find_operator_keys(object) != nullptr) return true;
  }
  return any_below(root(document), is_configuration_key);
}

/// The files with a pod, a node, an object that kustomize builds or values of a known chart.
[[nodiscard]] std::set<FileId> files_in_corpora(const Project& project) {
  std::set<FileId> files;
  for (const Scope& scope : project.scopes) {
    for (const Workload& workload : scope.corpus.workloads) {
      files.insert(workload.object.span().file);
    }
    for (const Workload& fragment : scope.corpus.fragments) {
      if (fragment.pod.node) files.insert(fragment.pod.node.span().file);
    }
    for (const ChartUse& use : scope.corpus.chart_uses) files.insert(use.values.span().file);
    for (const NodePool& pool : scope.corpus.cluster.pools) files.insert(pool.node.span().file);
    for (const flyte::Installation& installation : scope.flyte.installations) {
      for (const Document* document : installation.loaded.documents) files.insert(document->file);
    }
    for (const auto& made : scope.corpus.made) {
      for (const NodeOrigin& origin : made->origins) files.insert(origin.document->file);
    }
  }
  return files;
}

}  // namespace

std::vector<FileId> named_without_content(const Project& project) {
  const std::set<FileId> in_corpora = files_in_corpora(project);
  std::vector<FileId> unread;
  std::ranges::copy_if(project.named, std::back_inserter(unread), [&](FileId file) {
    const auto python = project.python.find(file);
    const bool has_tasks = python != project.python.end() && python->second.document;
    return !in_corpora.contains(file) && !has_tasks &&
           std::ranges::none_of(project.documents[file],
                                [](const auto& document) { return reads_document(*document); });
  });
  return unread;
}

std::string describe_unread_values(const Project& project, const Request& request) {
  if (request.values.empty() || !project.errors.empty()) return {};
  const FileSystem& files = *project.files;
  std::set<std::filesystem::path> paths;
  for (const std::string& path : request.values) {
    if (path == "-") return {};
    paths.insert(resolve_links(files, path));
  }
  const std::set<FileId> in_corpora = files_in_corpora(project);
  const bool is_read = std::ranges::any_of(project.inputs, [&](FileId file) {
    if (!paths.contains(resolve_links(files, project.sources.file(file).path()))) return false;
    // An empty layer is valid. Flyte's own configuration is not: it belongs inside of values.
    const auto& documents = project.documents[file];
    const auto counts = [](const auto& document) {
      const Node top = root(*document);
      return !top || top.is_null() || (top.is_mapping() && top.size() == 0) ||
             (reads_document(*document) &&
              flyte::recognize(*document).kind != flyte::DocumentKind::config);
    };
    return in_corpora.contains(file) || std::ranges::all_of(documents, counts);
  });
  if (is_read) return {};
  return fmt::format(
      "--values {}: not values of flyte-core, flyte-binary or another chart that gpulint knows; if "
      "they are Flyte's, name the chart with --chart",
      fmt::join(request.values, ", "));
}

std::vector<std::string> refuse_tasks(const Scopes& scopes, const Request& request) {
  std::vector<std::string> lines;
  std::set<std::string> reported;
  const auto add = [&](const flyte::Analysis& analysis) {
    for (const flyte::Installation& installation : analysis.installations) {
      for (const flyte::RefusedTask& refused : flyte::refused_tasks(installation)) {
        if (refused.node || !reported.insert(refused.task->name).second) continue;
        lines.push_back(fmt::format("--task: Flyte rejects the task `{}`: {}", refused.task->name,
                                    refused.reason));
      }
    }
  };
  for (const Scope& scope : scopes) add(scope.flyte);
  const bool is_run = std::ranges::any_of(
      scopes, [](const Scope& scope) { return !scope.flyte.installations.empty(); });
  if (is_run || request.tasks.empty()) return lines;
  Settings settings;
  settings.flyte_version = request.flyte_version;
  settings.task_specs = request.tasks;
  Corpus none;
  none.settings = &settings;
  const flyte::Analysis analysis = flyte::analyze_defaults(none, 1);
  add(analysis);
  return lines;
}

bool reads_anything(const Project& project) {
  const bool has_objects = std::ranges::any_of(project.scopes, [](const Scope& scope) {
    return !scope.corpus.workloads.empty() || !scope.corpus.fragments.empty() ||
           !scope.corpus.cluster.pools.empty() ||
           std::ranges::any_of(scope.flyte.installations, [](const auto& installation) {
             return !installation.loaded.documents.empty();
           });
  });
  const bool has_tasks = std::ranges::any_of(
      project.python, [](const auto& of_file) { return has_tasks_or_remarks(of_file.second); });
  return has_objects || has_tasks || std::ranges::any_of(project.inputs, [&](FileId file) {
           const auto& documents = project.documents[file];
           // In a walk, documents that mention no GPU are not parsed, but pods without GPUs also
           // count.
           const std::string_view text = project.sources.file(file).text();
           if (documents.empty() && text.find("containers") != std::string_view::npos) return true;
           return std::ranges::any_of(documents,
                                      [](const auto& each) { return reads_document(*each); });
         });
}

}  // namespace gpulint
