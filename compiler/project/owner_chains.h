#pragma once

#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/ir/node.h"
#include "compiler/project/project.h"

namespace gpulint {

/// An object in a chain of owners (Deployment, ReplicaSet, Pod).
struct ChainedObject {
  Span span;
  Node node;
  std::string kind;
  std::string top;  ///< The topmost owner: `Deployment/team/name`.
  int depth = 0;    ///< Number of owners above the object; 0 for the topmost owner.
};

/// The objects that have an owner (`ownerReferences`), and their owners, in order of file and
/// place.
[[nodiscard]] std::vector<ChainedObject> find_chained(const Project& project);

/// Keeps one of the findings with the same rule and message in objects with one topmost owner, such
/// as a Deployment, its ReplicaSets and their pods: that of the object nearest to the top. Its help
/// says how many others it applies to, including pods that were not read.
void group_by_owner(const Project& project, std::vector<Diagnostic>& findings);

/// Removes findings in ReplicaSets, pods and other owned objects if the same finding in their owner
/// is suppressed: a suppression on a Deployment also covers its pods.
void drop_silenced_by_owner(const Project& project, const std::vector<Diagnostic>& silenced,
                            std::vector<Diagnostic>& findings);

}  // namespace gpulint
