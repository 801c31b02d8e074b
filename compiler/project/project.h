#pragma once

// project: the files of a run → a Project: read, parsed, grouped into scopes, analyzed. Loading
// never fails as a whole: errors are values. It reads through FileSystem and writes through
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
#include "compiler/model/corpus/document_facts.h"
#include "compiler/project/flux_variables.h"
#include "compiler/project/input_files.h"
#include "compiler/project/joins.h"
#include "compiler/project/pods_alike.h"
#include "compiler/project/python_inputs.h"
#include "compiler/project/request.h"
#include "compiler/project/scope.h"
#include "frontend/variable_defaults.h"

namespace gpulint {

/// The inputs of a run: read, parsed, grouped into scopes and lowered. Stable addresses throughout.
struct Project {
  const FileSystem* files = nullptr;  ///< Where it was read from; never null.
  std::unique_ptr<const FileSystem> own_files;
  SourceSet sources;
  ConfigReading config;
  std::string config_path;  ///< The gpulint.yaml in force; empty: none.
  std::vector<std::unique_ptr<Document>> config_documents;  ///< What `config` points into.
  /// Parsed documents of each file (indexed by FileId), embedded ones after their hosts. Documents
  /// that hold nothing gpulint reads are counted, not kept.
  std::vector<std::vector<std::unique_ptr<Document>>> documents;
  FactStore facts;      ///< Of `documents`.
  PythonInputs python;  ///< Of the inputs, the Python sources, which have no documents above.
  SharedNodes shared_nodes;
  Scopes scopes;
  std::vector<NotCompared> apart;  ///< Files that were not held against nodes of the same tree.
  std::vector<NotCompared>
      tasks_not_compared;  ///< Python with tasks of which nobody knows where they run.
  /// What the environment or gpulint.yaml refused, ready to print: exit status 2.
  std::vector<std::string> errors;
  /// Files of walked folders that are targets of this run, too: no inputs if gpulint wrote them.
  std::vector<std::string> own_outputs;
  std::string original_stdin;         ///< The bytes of standard input, where they were transcoded.
  std::vector<std::string> excluded;  ///< Files and folders that `exclude` of gpulint.yaml names.
  std::vector<std::string> outside;   ///< As Inputs has them.
  std::vector<FileId> inputs;         ///< What is checked: not gpulint.yaml, not files of tasks.
  std::vector<FileId> named;  ///< Of the inputs, those named one by one, standard input among them.
  std::set<FileId> context_only;  ///< Of the inputs, those that others are only compared with.
  /// Of the inputs, those that a named kustomization builds upon and that are not named themselves.
  std::set<FileId> referenced;
  std::map<FileId, std::string> places;  ///< Of the inputs, InputFile::place where there is one.
  std::size_t document_count = 0;
  FluxVariables flux_variables;
  PodsAlike pods_alike;  ///< Pods that were not read, of Request::groups_pods.

  /// What Flux puts in for the variables of an input.
  [[nodiscard]] Substitutes substitutes_of(FileId file) const { return flux_variables.of(file); }
};

/// Whether tasks were compiled under Flyte's defaults for want of any configuration.
[[nodiscard]] inline bool runs_on_defaults(const Project& project) {
  return std::ranges::any_of(project.scopes, &Scope::runs_on_defaults);
}

/// Loads a project once more, with texts that stand for what the disk holds (pipeline.h).
using LoadProject = std::function<std::unique_ptr<Project>(const Request&, const Overlay&)>;

}  // namespace gpulint
