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

/// Which part of a scope is read again.
struct Extract {
  const SharedNodes* nodes = nullptr;       ///< Those that rules do not check; never null.
  std::set<const Document*> left_out = {};  ///< None of them is edited.
};

/// Analyzes a scope again, with edits by file. It reads nothing from disk. The nodes must outlive
/// the result.
[[nodiscard]] std::unique_ptr<Rereading> reread(const Project& project, const Scope& scope,
                                                const std::map<FileId, std::vector<Edit>>& edits,
                                                const Extract& extract);
[[nodiscard]] std::unique_ptr<Rereading> reread(const Project& project, const Scope& scope,
                                                const std::map<FileId, std::vector<Edit>>& edits);

/// The documents that edits of a file change, embedded ones not included. nullopt if the whole file
/// is parsed again: edits are between documents, or a document has text on the line of its `---`.
[[nodiscard]] std::optional<std::set<const Document*>> edited_documents(
    const SourceFile& file, const std::vector<std::unique_ptr<Document>>& documents,
    std::span<const Edit> edits);

/// The Nodes of a scope in documents of their own, equal ones once. nullopt if that leaves more
/// than half of them, or if kustomize builds objects.
[[nodiscard]] std::optional<SharedNodes> merge_equal_nodes(const Scope& scope);

}  // namespace gpulint
