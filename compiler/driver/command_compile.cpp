#include <algorithm>
#include <deque>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "backends/compiled_pods.h"
#include "compiler/base/text.h"
#include "compiler/driver/accounts.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/flyte/analysis.h"
#include "compiler/flyte/assume.h"
#include "compiler/flyte/base_pod_template.h"
#include "compiler/flyte/inject.h"
#include "compiler/flyte/loaded_release.h"
#include "compiler/pipeline.h"
#include "compiler/project/project.h"

namespace gpulint {
namespace {

/// Pods of the project, and beside them those that only this command makes.
struct Pods {
  std::vector<const flyte::CompiledPod*> all;
  std::deque<flyte::CompiledPod> own;
};
using flyte::LoadedRelease;

/// Documents that might be Flyte configuration although nothing in them says so: `{}`, broken YAML,
/// keys of other sections only.
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

/// Pods that the analysis has made already; of others (tasks that cannot be read, configuration
/// that does not load, assumed tasks) it has none.
[[nodiscard]] bool is_compiled(const flyte::Installation& installation) {
  return !installation.pods.empty() && installation.pods.size() == installation.tasks.size();
}

void compile_tasks(const Scope& scope, const LoadedRelease& loaded, const SourceSet& sources,
                   Pods& pods) {
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

/// Whether a file has a section that Flyte reads, or is broken, so that none shows.
[[nodiscard]] bool may_be_flyte(const flyte::ConfigFile& file) {
  return !file.problems.empty() || std::ranges::any_of(file.value.entries, [](const auto& entry) {
    return equal_fold(entry.key, "plugins") || equal_fold(entry.key, "task_resources");
  });
}

/// Whether the inputs describe an installation, even one without propeller, which makes no pods.
[[nodiscard]] bool has_installation(const Project& project) {
  return std::ranges::any_of(project.scopes,
                             [](const Scope& scope) { return !scope.flyte.installations.empty(); });
}

[[nodiscard]] Pods compile_project(const Project& project) {
  Pods pods;
  for (const Scope& scope : project.scopes) {
    for (const flyte::Installation& installation : scope.flyte.installations) {
      if (is_compiled(installation)) {
        for (const flyte::CompiledPod& pod : installation.pods) pods.all.push_back(&pod);
      } else {
        compile_tasks(scope, installation.loaded, project.sources, pods);
      }
    }
  }
  if (!pods.all.empty() || has_installation(project)) return pods;
  bool is_told = false;
  for (const Scope& scope : project.scopes) {
    // Of a folder's files nobody has said that they configure Flyte.
    const bool has_tasks = !scope.settings.tasks.empty() || !scope.settings.task_specs.empty();
    if (project.named.empty() && !has_tasks) continue;
    const bool is_v2 = scope.settings.flyte_version == FlyteVersion::v2;
    const auto files = possible_config(scope, project.sources);
    if (files.empty() && !has_tasks) continue;
    if (std::ranges::none_of(files, may_be_flyte) && !std::exchange(is_told, true)) {
      print_error("nothing of Flyte's among the inputs: the pods show Flyte's defaults");
    }
    LoadedRelease loaded = flyte::load_files(files, is_v2 ? FlyteVersion::v2 : FlyteVersion::v1);
    loaded.propeller.pod_templates = flyte::find_base_pod_templates(scope.corpus.documents);
    compile_tasks(scope, loaded, project.sources, pods);
  }
  return pods;
}

/// The pods are YAML in plain words, too.
[[nodiscard]] Options with_yaml_as_text(Options options) {
  for (FormatRequest& request : options.formats) {
    if (request.name == "yaml") request.name = "text";
  }
  return options;
}

[[nodiscard]] std::string_view why_nothing(const Project& project) {
  const auto has_python = [](const Scope& scope) {
    return flyte::has_python_tasks(scope.settings);
  };
  if (!has_installation(project)) {
    return "nothing to compile: no Flyte configuration among the inputs; name Flyte's values, or "
           "--chart for those that a chart has by default";
  }
  return std::ranges::any_of(project.scopes, has_python)
             ? "nothing to compile: gpulint reads no GPU task from the Python files; `gpulint "
               "check` "
               "names the lines"
             : "nothing to compile: propeller is disabled, or reads a ConfigMap from elsewhere";
}

}  // namespace

int run_compile(const Options& options) {
  const auto project = load_project(options);
  print_account(*project, options);
  if (const auto error = refuse_project(*project, options)) return refuse(*error);
  for (const std::string& error : project->errors) print_error(error);
  print_task_hints(*project, options);
  const Pods pods = compile_project(*project);
  if (pods.all.empty()) print_error(why_nothing(*project));
  const bool has_nothing = pods.all.empty() && !has_installation(*project);
  const int written = write_text(with_yaml_as_text(options), [&](bool is_json, std::ostream& out) {
    if (is_json) {
      emit_compiled_json(pods.all, project->sources, out, options.jobs);
    } else {
      emit_compiled_yaml(pods.all, project->sources, out, options.jobs);
    }
  });
  if (written != 0 || has_nothing || !project->errors.empty()) return 2;
  if (pods.all.empty() && options.require_input) return 2;
  return std::ranges::any_of(pods.all, [](const auto* pod) { return !pod->error.empty(); }) ? 1 : 0;
}

}  // namespace gpulint
