#pragma once

#include <vector>

#include "compiler/model/scope/document_facts.h"
#include "compiler/model/scope/scope_model.h"

namespace gpulint {

/// Reads the documents of one scope into the model for rules. `sources`, `settings` and the
/// documents must outlive the model. `shared`: nodes that are in none of these documents. `jobs`:
/// threads, as in parallel_for(). `facts`: facts already read from the documents; may be null.
[[nodiscard]] ScopeModel build_scope_model(const SourceSet& sources, const Settings& settings,
                                           std::vector<const Document*> documents,
                                           std::vector<NodePool> shared = {}, unsigned jobs = 1,
                                           const FactStore* facts = nullptr);

/// Whether the document is a Node, or a List with only Nodes.
[[nodiscard]] bool holds_only_nodes(const Document& document);

}  // namespace gpulint
