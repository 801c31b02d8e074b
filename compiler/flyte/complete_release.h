#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/flyte/helm_chart.h"
#include "compiler/ir/document.h"
#include "compiler/ir/node.h"

namespace gpulint::flyte {

/// A release of which some values are found.
struct PendingRelease {
  HelmRelease release;
  Node installed_by;                       ///< As FlyteDocument::release; nothing of values files.
  std::vector<const Document*> documents;  ///< That the layers are of.
};

/// Adds the layers that releases take from other files or objects among the documents, in their
/// order, and the releases that have no others. What is a layer of a release is none by itself any
/// more. Releases with layers that are not among the documents become partial.
void complete_releases(std::span<const Document* const> documents, const SourceSet& sources,
                       std::vector<PendingRelease>& pending);

/// What the values of a release's document name and the documents do not have, in words: `ConfigMap
/// flyte-values`, `$values/prod.yaml`.
[[nodiscard]] std::vector<std::string> missing_values(const Document& document,
                                                      std::span<const Document* const> documents,
                                                      const SourceSet& sources);

}  // namespace gpulint::flyte
