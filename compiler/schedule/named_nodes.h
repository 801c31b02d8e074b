#pragma once

#include <map>
#include <string>

#include "compiler/model/pools/cluster.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// The Node objects of a cluster by name. The cluster must outlive it.
class NamedNodes {
 public:
  explicit NamedNodes(const Cluster& cluster);

  /// The node that the pod is bound to (`nodeName`); null if there is none or it is unknown.
  [[nodiscard]] const NodePool* find(const PodSpec& pod) const;
  /// Whether the pod is bound to an unknown node. It runs there without the scheduler.
  [[nodiscard]] bool is_elsewhere(const PodSpec& pod) const;

 private:
  std::map<std::string, const NodePool*, std::less<>> nodes_;
};

}  // namespace gpulint
