#include "compiler/project/compiled_pods.h"

#include <algorithm>
#include <string>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/flyte/analysis.h"
#include "compiler/flyte/assume.h"
#include "compiler/flyte/base_pod_template.h"
#include "compiler/flyte/loaded_release.h"

namespace gpulint {
namespace {

using flyte::LoadedRelease;

/// Documents that may be Flyte configuration although they are not recognized as such: `{}`,
/// invalid YAML, or only keys of other sections.
[[nodiscard]] std::vector<flyte::ConfigFile> possible_config(const Scope& scope,
                                                             const SourceSet& sources) {
  std::vector<flyte::ConfigFile> files;
  for (const Document* document : scope.corpus.documents) {
    const Node top = root(*document);
    const bool is_object = top.get("apiVersion") && top.get("kind");
    if (document->host != nullptr || document->index != 0 || is_object) continue;
    flyte::ReadConfig read = flyte::read_go_yaml(*document);
    const bool is_blank =
        read.problems.empty() && read.value.kind == flyte::ConfigValue::Kind::null;
    if (is_blank) continue;
    files.push_back(
        {sources.file(document->file).path(), std::move(read.value), std::move(read.problems)});
  }
  return files;
}

/// Whether the scope has a pod for each task. It has none for invalid tasks, invalid configuration
/// and assumed tasks.
[[nodiscard]] bool is_compiled(const flyte::Installation& installation) {
  return !installation.pods.empty() && installation.pods.size() == installation.tasks.size();
}

void compile_tasks(const Scope& scope, const LoadedRelease& loaded, const SourceSet& sources,
                   CompiledPods& pods) {
  if (!loaded.has_propeller) return;
  const std::string source = loaded.documents.empty()
                                 ? std::string()
                                 : sources.file(loaded.documents.front()->file).path();
  auto tasks = flyte::declared_tasks(scope.settings, loaded.version);
  if (tasks.empty() && !flyte::has_python_tasks(scope.settings)) {
    tasks = flyte::assumed_tasks(scope.corpus.cluster, loaded.propeller);
  }
  for (const flyte::Task& task : tasks) {
    pods.own.push_back(flyte::compile_task(loaded.propeller, loaded.platform, task));
    pods.own.back().source = source;
    pods.all.push_back(&pods.own.back());
  }
}

/// Whether a file has a section that Flyte reads, or is invalid and may have one.
[[nodiscard]] bool may_be_flyte(const flyte::ConfigFile& file) {
  return !file.problems.empty() || std::ranges::any_of(file.value.entries, [](const auto& entry) {
    return equal_fold(entry.key, "plugins") || equal_fold(entry.key, "task_resources");
  });
}

[[nodiscard]] bool has_installation(const Project& project) {
  return std::ranges::any_of(project.scopes,
                             [](const Scope& scope) { return !scope.flyte.installations.empty(); });
}

}  // namespace

CompiledPods compile_pods(const Project& project) {
  CompiledPods pods;
  pods.has_installation = has_installation(project);
  pods.has_python_tasks = std::ranges::any_of(
      project.scopes, [](const Scope& scope) { return flyte::has_python_tasks(scope.settings); });
  for (const Scope& scope : project.scopes) {
    for (const flyte::Installation& installation : scope.flyte.installations) {
      if (is_compiled(installation)) {
        for (const flyte::CompiledPod& pod : installation.pods) pods.all.push_back(&pod);
      } else {
        compile_tasks(scope, installation.loaded, project.sources, pods);
      }
    }
  }
  if (!pods.all.empty() || pods.has_installation) return pods;
  for (const Scope& scope : project.scopes) {
    // The user did not say that files of a walked folder configure Flyte.
    const bool has_tasks = !scope.settings.tasks.empty() || !scope.settings.task_specs.empty();
    if (project.named.empty() && !has_tasks) continue;
    const bool is_v2 = scope.settings.flyte_version == FlyteVersion::v2;
    const auto files = possible_config(scope, project.sources);
    if (files.empty() && !has_tasks) continue;
    if (std::ranges::none_of(files, may_be_flyte)) pods.are_defaults = true;
    LoadedRelease loaded = flyte::load_files(files, is_v2 ? FlyteVersion::v2 : FlyteVersion::v1);
    loaded.propeller.pod_templates = flyte::find_base_pod_templates(scope.corpus.documents);
    compile_tasks(scope, loaded, project.sources, pods);
  }
  return pods;
}

}  // namespace gpulint
