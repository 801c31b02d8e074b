#pragma once

#include <map>
#include <memory>
#include <optional>
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

/// Analyzes a scope again, with edits by file. It reads nothing from disk. `nodes`: those that
/// rules do not check; they must outlive the result.
[[nodiscard]] std::unique_ptr<Rereading> reread(const Project& project, const Scope& scope,
                                                const std::map<FileId, std::vector<Edit>>& edits,
                                                const SharedNodes& nodes);
[[nodiscard]] std::unique_ptr<Rereading> reread(const Project& project, const Scope& scope,
                                                const std::map<FileId, std::vector<Edit>>& edits);

/// The Nodes of a scope in documents of their own, equal ones once. nullopt if that leaves more
/// than half of them, or if kustomize builds objects.
[[nodiscard]] std::optional<SharedNodes> merge_equal_nodes(const Scope& scope);

}  // namespace gpulint
