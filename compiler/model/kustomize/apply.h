#pragma once

// model/kustomize: bases, patches and transformers → the objects that kustomize builds. What it
// cannot build it reports as unmerged. It does not know kinds beyond their merge keys.

#include <memory>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/model/kustomize/unmerged.h"

namespace gpulint::kustomize {

/// Documents as kustomizations apply them.
struct Applied {
  std::vector<const Document*> whole;      ///< Objects, and all that kustomize has no part in.
  std::vector<const Document*> fragments;  ///< What patches write to objects not known whole.
  /// As written, what fragments were made of since a patch may do anything to them: objects all the
  /// same, of which the pods are not known.
  std::vector<const Document*> uncertain;
  std::vector<std::unique_ptr<const Document>> made;  ///< Those of both that were put together.
  std::vector<Unmerged> unmerged;                     ///< One of a folder at most.
};

/// Merges the patches that kustomizations among the documents name onto their bases. What every
/// topmost kustomization changes stands changed, once for each; what one of them (or none) takes
/// as it is stays. Without a kustomization a document is a patch where it holds `$patch`, is named
/// `*`, or lacks the selector and also the images, or the labels, that its kind needs. The
/// documents must outlive the result. `kustomizations`: how many the whole run has; they share a
/// limit of objects.
[[nodiscard]] Applied apply(const SourceSet& sources, const std::vector<const Document*>& documents,
                            std::size_t kustomizations);

}  // namespace gpulint::kustomize
