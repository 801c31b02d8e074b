#pragma once

#include <optional>
#include <string>

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// Two requirements of one pod's nodeSelector and required affinity that no node at all can meet
/// together, whatever the cluster.
struct Contradiction {
  std::string key;
  std::string first;  ///< `In (a100)`, `= a100`, `DoesNotExist` …
  std::string second;
  Node first_node;
  Node second_node;
};

/// The first contradiction, if the pod can run nowhere for it: in every term of the affinity, where
/// that has several. Requirements with open or refused parts take no part.
[[nodiscard]] std::optional<Contradiction> find_contradiction(const PodSpec& pod);

}  // namespace gpulint
