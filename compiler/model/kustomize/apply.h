#pragma once

// model/kustomize: bases, patches and transformers → the objects that kustomize builds. What it
// cannot build it reports as unmerged. It does not know kinds beyond their merge keys.

#include <memory>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/model/kustomize/unmerged.h"

namespace gpulint::kustomize {

/// Documents after kustomizations are applied.
struct Applied {
  std::vector<const Document*> whole;      ///< Objects, and everything that kustomize does not use.
  std::vector<const Document*> fragments;  ///< What patches write to incomplete objects.
  /// Objects as written that a patch may change in an unknown way: the fragments contain what is
  /// known, and the pods are unknown.
  std::vector<const Document*> uncertain;
  std::vector<std::unique_ptr<const Document>> made;  ///< Documents of both lists that were built.
  std::vector<Unmerged> unmerged;                     ///< At most one for each folder.
};

/// Merges the patches that kustomizations among the documents name onto their bases. Each topmost
/// kustomization that changes an object adds a changed copy; an object that one of them (or none)
/// uses unchanged stays. Without a kustomization a document is a patch if it contains `$patch`, is
/// named `*`, or lacks what its kind needs: the selector, and also the images or the labels. The
/// documents must outlive the result. `kustomizations`: how many the whole run has; they share a
/// limit of objects.
[[nodiscard]] Applied apply(const SourceSet& sources, const std::vector<const Document*>& documents,
                            std::size_t kustomizations);

}  // namespace gpulint::kustomize
