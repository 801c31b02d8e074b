#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/driver/project.h"

namespace gpulint {

/// A scope as it would be with other texts in some of its files. Nothing is read from disk.
struct Rereading {
  /// Files as in the project, those of no concern to the scope empty; behind them the files that
  /// differ once more, with their other texts.
  SourceSet sources;
  std::vector<std::unique_ptr<Document>> documents;  ///< Those that differ.
  Scope scope;
};
[[nodiscard]] std::unique_ptr<Rereading> reread(const Project& project, const Scope& scope,
                                                const std::map<FileId, std::string>& texts);

/// The scope's documents, all in order, read into what rules work on.
[[nodiscard]] Corpus lower_scope(const SourceSet& sources, const Scope& scope,
                                 const std::vector<const Document*>& documents);

/// Fills in what a scope's documents mean beyond their lowering, phase by phase.
void analyze_corpus(Scope& scope);

}  // namespace gpulint
