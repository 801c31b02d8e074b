#pragma once

#include <string>

#include "compiler/ir/node.h"

namespace gpulint::kustomize {

/// A kustomization with patches whose result is not known from the inputs, or a folder of patches
/// without a kustomization.
struct Unmerged {
  std::string folder;         ///< The argument of `kubectl kustomize`; `.` for the folder of the
                              ///< run.
  Node place;                 ///< The first such entry of the kustomization, or the patch.
  std::string reason;         ///< Why, after "patch not merged: ".
  bool is_oversized = false;  ///< Nothing of the kustomization is built: it exceeds a limit.
};

}  // namespace gpulint::kustomize
