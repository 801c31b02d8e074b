#pragma once

// project: turns the files of a run into a Project: read, parsed, grouped into scopes, analyzed.
// Loading never fails as a whole: errors are values. It reads through FileSystem and writes through
// write_file.h. It does not run rules and does not print.

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/engine/config.h"
#include "compiler/ir/document.h"
#include "compiler/model/scope/document_facts.h"
#include "compiler/project/flux_variables.h"
#include "compiler/project/input_files.h"
#include "compiler/project/joins.h"
#include "compiler/project/pods_alike.h"
#include "compiler/project/python_inputs.h"
#include "compiler/project/rendered_inputs.h"
#include "compiler/project/request.h"
#include "compiler/project/scope.h"
#include "frontend/variable_defaults.h"

namespace gpulint {

/// The inputs of a run: read, parsed, grouped into scopes and analyzed. All addresses are stable.
struct Project {
  const FileSystem* files = nullptr;  ///< The file system of the inputs; never null.
  std::unique_ptr<const FileSystem> own_files;
  SourceSet sources;
  ConfigReading config;
  std::string config_path;  ///< The gpulint.yaml in force; empty: none.
  std::vector<std::unique_ptr<Document>> config_documents;  ///< `config` points into these.
  /// Parsed documents of each file (indexed by FileId), embedded ones after their hosts. Documents
  /// with nothing that gpulint reads are counted, not kept.
  std::vector<std::vector<std::unique_ptr<Document>>> documents;
  FactStore facts;           ///< Of `documents`.
  PythonInputs python;       ///< Python sources and packages among the inputs; no `documents`.
  SharedNodes shared_nodes;  ///< Of the scopes with `runs_on_shared_nodes`.
  const SharedNodes no_nodes;
  Scopes scopes;
  std::vector<NotCompared> not_compared;  ///< Files not compared with nodes of the same tree.
  std::vector<NotCompared>
      tasks_not_compared;  ///< Python sources with tasks whose Flyte release is unknown.
  /// Errors of the environment or gpulint.yaml, ready to print: exit status 2.
  std::vector<std::string> errors;
  /// Files of walked folders that are also outputs of this run. They are not inputs.
  std::vector<std::string> own_outputs;
  std::string original_stdin;         ///< The bytes of standard input if they were transcoded.
  std::vector<std::string> excluded;  ///< Files and folders that `exclude` of gpulint.yaml matches.
  std::vector<std::string> outside;   ///< As in Inputs.
  std::vector<FileId> inputs;         ///< All files to check, without gpulint.yaml and --tasks.
  std::vector<FileId> named;          ///< Inputs that were named one by one, and standard input.
  std::set<FileId> context_only;      ///< Inputs that others are only compared with.
  /// Inputs that a named kustomization uses and that are not named themselves.
  std::set<FileId> referenced;
  std::map<FileId, std::string> places;  ///< InputFile::place of the inputs that have one.
  RenderedInputs rendered;               ///< Empty without Request::renderer.
  std::size_t document_count = 0;
  FluxVariables flux_variables;
  PodsAlike pods_alike;  ///< Pods that were skipped (Request::groups_pods).

  /// The values that Flux sets for variables in an input.
  [[nodiscard]] Substitutes substitutes_of(FileId file) const { return flux_variables.of(file); }
  [[nodiscard]] const SharedNodes& nodes_shared_by(const ScopePlan& plan) const {
    return plan.runs_on_shared_nodes ? shared_nodes : no_nodes;
  }
};

/// Whether tasks were compiled with Flyte's defaults because no input configures Flyte.
[[nodiscard]] inline bool runs_on_defaults(const Project& project) {
  return std::ranges::any_of(project.scopes, &Scope::runs_on_defaults);
}

/// Loads a project again, with texts that replace files on disk (pipeline.h).
using LoadProject = std::function<std::unique_ptr<Project>(const Request&, const Overlay&)>;

}  // namespace gpulint
