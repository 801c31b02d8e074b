#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "compiler/project/project.h"

namespace gpulint {

/// A scope after edits of its files.
struct Rereading {
  SourceSet sources;  ///< The files of the project, then one file for each changed text.
  std::vector<std::unique_ptr<Document>> documents;  ///< The changed documents.
  std::unique_ptr<const Scope> scope;                ///< Never null.
  std::set<FileId> edited;                           ///< Files of the project that have edits.
  std::vector<const Document*> of_edited;            ///< All documents of these after the edits.
};

/// Analyzes a scope again, with edits by file. It reads nothing from disk.
[[nodiscard]] std::unique_ptr<Rereading> reread(const Project& project, const Scope& scope,
                                                const std::map<FileId, std::vector<Edit>>& edits);

}  // namespace gpulint
