#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "compiler/project/project.h"

namespace gpulint {

/// A scope as it would be after edits of its files. Nothing is read from disk.
struct Rereading {
  SourceSet sources;  ///< The project's, and behind them one file for each text that differs.
  std::vector<std::unique_ptr<Document>> documents;  ///< Those that differ.
  std::unique_ptr<const Scope> scope;                ///< Never null.
  std::set<FileId> edited;                           ///< Files of the project that have edits.
  std::vector<const Document*> of_edited;            ///< All documents of these, as they are now.
};
[[nodiscard]] std::unique_ptr<Rereading> reread(const Project& project, const Scope& scope,
                                                const std::map<FileId, std::vector<Edit>>& edits);

}  // namespace gpulint
