#pragma once

#include <vector>

#include "compiler/model/corpus.h"

namespace gpulint {

/// Reads the documents of one scope into what rules work on. `sources`, `settings` and the documents
/// must outlive the corpus.
[[nodiscard]] Corpus lower(const SourceSet& sources, const Settings& settings,
                           std::vector<const Document*> documents);

}  // namespace gpulint
