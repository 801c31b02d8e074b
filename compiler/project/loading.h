#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/project/input_files.h"
#include "compiler/project/kustomize_files.h"
#include "compiler/project/plan_answers.h"
#include "compiler/project/project.h"
#include "compiler/project/scopes.h"

namespace gpulint {

class Progress;

/// A project that is being loaded, or edited. Its parts point into one another.
struct Loading {
  std::unique_ptr<Project> project = std::make_unique<Project>();  ///< Never null.
  std::vector<InputFile> inputs;
  std::optional<KustomizeFiles> kustomize_files;  ///< Points into `inputs`; set by parse_files().
  std::vector<Node> tasks;                        ///< Entries of --tasks.
  std::vector<std::string> other_python;          ///< Sources that are not inputs.
  PlanAnswers answers;                            ///< Kept if `follows_edits`.
  bool follows_edits = false;
  std::set<FileId> read_whole;      ///< Joined files: all of their documents are parsed.
  std::size_t errors_of_files = 0;  ///< The first errors of the project; the rest is of its scopes.
};

/// Reads gpulint.yaml and the inputs. `files` must outlive the project.
[[nodiscard]] std::unique_ptr<Loading> read_files(const Request& request, const FileSystem& files);

/// Parses the documents that may concern GPUs, Python sources and the file of --tasks. `progress`
/// may be null.
void parse_files(Loading& loading, const Request& request, Progress* progress);

/// Groups the files into scopes by their content. Parses all documents of joined files.
[[nodiscard]] ScopePlans group_files(Loading& loading, const Request& request);

/// Analyzes each scope: the model of its documents, the pods of its tasks, the verdicts (scope.h).
/// `progress` may be null.
void analyze_scopes(Loading& loading, ScopePlans plans, const Request& request, Progress* progress);

/// Gives an input of a loaded project another text, and analyzes the scopes of the file again.
/// Returns their indexes. nullopt if the edit may change how other files are read or grouped: the
/// project has to be loaded again, and must not be used any more.
[[nodiscard]] std::optional<std::vector<std::size_t>> edit_file(Loading& loading,
                                                                const Request& request, FileId file,
                                                                std::string text);

}  // namespace gpulint
