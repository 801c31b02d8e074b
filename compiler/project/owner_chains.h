#pragma once

#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/ir/node.h"
#include "compiler/project/project.h"

namespace gpulint {

/// An object of a chain of owners (Deployment, ReplicaSet, Pod), by its place.
struct ChainedObject {
  Span span;
  Node node;
  std::string kind;
  std::string top;  ///< The owner above all others, as `Deployment/team/name`.
  int depth = 0;    ///< Of it, if it is among the inputs: 0.
};

/// The objects that `ownerReferences` tie together, in the order of files and places.
[[nodiscard]] std::vector<ChainedObject> find_chained(const Project& project);

/// Leaves one finding of those that a Deployment, its ReplicaSets and their pods share in rule and
/// message, or any other objects that `ownerReferences` tie together: that of the object nearest to
/// the top. It says of how many others it holds, those that were not read among them.
void group_by_owner(const Project& project, std::vector<Diagnostic>& findings);

/// Removes the findings of ReplicaSets, pods and the like whose owner has the same finding among
/// the silenced: a suppression on a Deployment covers the pods that it made.
void drop_silenced_by_owner(const Project& project, const std::vector<Diagnostic>& silenced,
                            std::vector<Diagnostic>& findings);

}  // namespace gpulint
