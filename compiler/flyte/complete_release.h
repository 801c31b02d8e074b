#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/flyte/helm_chart.h"
#include "compiler/ir/document.h"
#include "compiler/ir/node.h"

namespace gpulint::flyte {

/// A release with some of its values.
struct PendingRelease {
  HelmRelease release;
  Node installed_by;                       ///< As FlyteDocument::release; null for values files.
  std::vector<const Document*> documents;  ///< The documents of the layers.
};

/// Adds the layers that releases take from other files or objects among the documents, in order,
/// and the releases that have no other layers. A layer of a release is no longer a release by
/// itself. Releases with missing layers become partial.
void complete_releases(std::span<const Document* const> documents, const SourceSet& sources,
                       std::vector<PendingRelease>& pending);

/// The values that a release's document names and that are missing among the documents: `ConfigMap
/// flyte-values`, `$values/prod.yaml`.
[[nodiscard]] std::vector<std::string> missing_values(const Document& document,
                                                      std::span<const Document* const> documents,
                                                      const SourceSet& sources);

}  // namespace gpulint::flyte
