#pragma once

#include <span>
#include <vector>

#include "compiler/model/corpus.h"

namespace gpulint {

/// Reads the documents of one scope into what rules work on. `sources`, `settings` and the
/// documents must outlive the corpus. `node_documents` count for the cluster only: rules do not see
/// them. `jobs`: threads, as in parallel_for().
[[nodiscard]] Corpus lower(const SourceSet& sources, const Settings& settings,
                           std::vector<const Document*> documents,
                           std::span<const Document* const> node_documents = {}, unsigned jobs = 1);

/// Whether the document is a Node, or a List of nothing but Nodes.
[[nodiscard]] bool holds_only_nodes(const Document& document);

}  // namespace gpulint
