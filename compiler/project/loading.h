#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/project/input_files.h"
#include "compiler/project/kustomize_files.h"
#include "compiler/project/project.h"
#include "compiler/project/scopes.h"

namespace gpulint {

class Progress;

/// A partly loaded project, which each step below passes to the next. Its parts point into one
/// another.
struct Loading {
  std::unique_ptr<Project> project = std::make_unique<Project>();  ///< Never null.
  std::vector<InputFile> inputs;
  std::optional<KustomizeFiles> kustomize_files;  ///< Points into `inputs`; set by parse_files().
  std::vector<Node> tasks;                        ///< Entries of --tasks.
  std::vector<std::string> other_python;          ///< Sources that are not inputs.
};

/// Reads gpulint.yaml and the inputs. `files` must outlive the project.
[[nodiscard]] std::unique_ptr<Loading> read_files(const Request& request, const FileSystem& files);

/// Parses the documents that may concern GPUs, Python sources and the file of --tasks. `progress`
/// may be null.
[[nodiscard]] std::unique_ptr<Loading> parse_files(std::unique_ptr<Loading> loading,
                                                   const Request& request, Progress* progress);

/// Groups the files into scopes by their content. Parses all documents of joined files.
[[nodiscard]] ScopePlans group_files(Loading& loading, const Request& request);

/// Analyzes each scope: the model of its documents, the pods of its tasks, the verdicts (scope.h).
/// `progress` may be null.
[[nodiscard]] std::unique_ptr<Project> analyze_scopes(std::unique_ptr<Loading> loading,
                                                      ScopePlans plans, const Request& request,
                                                      Progress* progress);

}  // namespace gpulint
