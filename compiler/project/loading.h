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

/// A project on its way: what the steps below hand on. Its parts point into one another.
struct Loading {
  std::unique_ptr<Project> project = std::make_unique<Project>();  ///< Never null.
  std::vector<InputFile> inputs;
  std::optional<KustomizeFiles> kustomize_files;  ///< Points into `inputs`; set by parse_files().
  std::vector<Node> tasks;                        ///< Entries of --tasks.
  std::vector<std::string> other_python;          ///< Sources that are no inputs.
};

/// Reads gpulint.yaml and the inputs. `files` must outlive the project.
[[nodiscard]] std::unique_ptr<Loading> read_files(const Request& request, const FileSystem& files);

/// Splits the files into documents and parses those that matter, Python and the file of --tasks.
/// `progress` may be null.
[[nodiscard]] std::unique_ptr<Loading> parse_files(std::unique_ptr<Loading> loading,
                                                   const Request& request, Progress* progress);

/// Groups the files into scopes, by what they contain. Parses joined files again, as a whole.
[[nodiscard]] ScopePlans group_files(Loading& loading, const Request& request);

/// Makes each scope: the model of its documents, the pods of its tasks, the verdicts (scope.h).
[[nodiscard]] std::unique_ptr<Project> analyze_scopes(std::unique_ptr<Loading> loading,
                                                      ScopePlans plans, const Request& request,
                                                      Progress* progress);

}  // namespace gpulint
