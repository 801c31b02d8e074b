#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/analysis/project.h"

namespace gpulint {

/// A scope as it would be after edits of its files. Nothing is read from disk.
struct Rereading {
  SourceSet sources;  ///< The project's, and behind them one file for each text that differs.
  std::vector<std::unique_ptr<Document>> documents;  ///< Those that differ.
  Scope scope;
};
[[nodiscard]] std::unique_ptr<Rereading> reread(const Project& project, const Scope& scope,
                                                const std::map<FileId, std::vector<Edit>>& edits);

/// The scope's documents, all in order, read into what rules work on. `sources` hold their text.
[[nodiscard]] Corpus lower_scope(const Project& project, const SourceSet& sources,
                                 const Scope& scope, const std::vector<const Document*>& documents);

/// Fills in what Flyte makes of a lowered scope.
void compile_scope(Scope& scope);
/// Fills in what rules read beside: the pods of all tasks, what the API server refuses, and why
/// workloads fit no node. `before`: the scope that is read again, or null.
void prepare_for_rules(Scope& scope, const Scope* before);

}  // namespace gpulint
