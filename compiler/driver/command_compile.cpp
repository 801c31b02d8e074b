#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "backends/compiled_pods.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/project.h"
#include "compiler/driver/report.h"
#include "compiler/driver/write_file.h"
#include "compiler/flyte/analysis.h"
#include "compiler/flyte/assume.h"
#include "compiler/flyte/deployment.h"
#include "compiler/flyte/inject.h"

namespace gpulint {
namespace {

using Pods = std::vector<flyte::CompiledPod>;
using flyte::Deployment;

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
    files.push_back(
        {sources.file(document->file).path(), std::move(read.value), std::move(read.problems)});
  }
  return files;
}

void compile_tasks(const Scope& scope, const Deployment& deployment, const SourceSet& sources,
                   Pods& pods) {
  if (!deployment.has_propeller) return;
  const std::string source = deployment.documents.empty()
                                 ? std::string()
                                 : sources.file(deployment.documents.front()->file).path();
  auto tasks = flyte::declared_tasks(scope.settings, deployment.version);
  if (tasks.empty()) tasks = flyte::assumed_tasks(scope.corpus.cluster, deployment.propeller);
  for (const flyte::Task& task : tasks) {
    pods.push_back(flyte::compile_task(deployment.propeller, deployment.platform, task));
    pods.back().source = source;
  }
}

[[nodiscard]] Pods compile_project(const Project& project, const Options& options) {
  Pods pods;
  for (const Scope& scope : project.scopes) {
    for (const flyte::Installation& installation : scope.flyte.installations) {
      compile_tasks(scope, installation.deployment, project.sources, pods);
    }
  }
  if (!pods.empty() || options.paths.empty()) return pods;
  for (const Scope& scope : project.scopes) {
    const bool is_v2 = scope.settings.flyte_version == FlyteVersion::v2;
    const auto files = possible_config(scope, project.sources);
    compile_tasks(scope, flyte::deploy_config(files, is_v2 ? FlyteVersion::v2 : FlyteVersion::v1),
                  project.sources, pods);
  }
  return pods;
}

struct Target {
  bool is_json = false;
  std::string file;  ///< Empty: standard output.
};

[[nodiscard]] Result<std::vector<Target>> plan_targets(const Options& options) {
  std::vector<Target> targets;
  for (const FormatRequest& request : options.formats) {
    const bool is_yaml = request.name == "yaml" || request.name == "text";
    if (!is_yaml && request.name != "json") {
      return Error{fmt::format("unknown format `{}`; there are yaml, json", request.name)};
    }
    targets.push_back({!is_yaml, request.file.empty() ? options.output : request.file});
  }
  if (targets.empty()) targets.push_back({false, options.output});
  return targets;
}

/// Whether everything could be written.
[[nodiscard]] bool write(const Pods& pods, const Project& project,
                         const std::vector<Target>& targets) {
  bool all_written = true;
  for (const Target& target : targets) {
    std::ostringstream text;
    if (target.is_json) {
      emit_compiled_json(pods, project.sources, text);
    } else {
      emit_compiled_yaml(pods, project.sources, text);
    }
    if (target.file.empty()) {
      std::cout << std::move(text).str();
    } else if (const auto error = write_file(target.file, std::move(text).str())) {
      print_error(fmt::format("{}: {}", target.file, error->message));
      all_written = false;
    }
  }
  std::cout.flush();
  return all_written && static_cast<bool>(std::cout);
}

}  // namespace

int run_compile(const Options& options) {
  const Result<std::vector<Target>> targets = plan_targets(options);
  if (!targets.ok()) return refuse(targets.error());
  const auto project = load_project(options);
  if (const auto error = refuse_project(*project, options)) return refuse(*error);
  for (const std::string& error : project->errors) print_error(error);
  const Pods pods = compile_project(*project, options);
  if (pods.empty()) {
    print_error("nothing to compile: no Flyte configuration among the inputs");
    if (options.require_input) return 2;
  }
  if (!write(pods, *project, targets.value()) || !project->errors.empty()) return 2;
  const bool any_refused =
      std::ranges::any_of(pods, [](const auto& p) { return !p.error.empty(); });
  return any_refused ? 1 : 0;
}

}  // namespace gpulint
