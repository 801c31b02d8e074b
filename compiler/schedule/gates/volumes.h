#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compiler/model/objects.h"
#include "compiler/schedule/gates/node_map.h"
#include "compiler/schedule/verdict.h"

namespace gpulint {

/// The claims and volumes among the objects, by name. If two have the name, it is unknown.
class Volumes {
 public:
  explicit Volumes(const std::vector<KubernetesObject>& objects);

  /// Adds an obstacle if none of the nodes in `fitting`, which fit the pod otherwise, can mount its
  /// volumes.
  void check(const NodeMap& map, const Workload& workload, Pools fitting, Obstacles& found) const;

 private:
  using Key = std::pair<std::string, std::string>;  // namespace, name

  /// The volume that a claim is bound to; null if it is unknown.
  [[nodiscard]] Node find(const std::string& name_space, const std::string& name) const;

  std::map<Key, Node> claims_;
  std::map<std::string, Node> volumes_;
  std::map<Key, Node> bound_;  ///< By the claim in `claimRef`.
};

}  // namespace gpulint
