#pragma once

#include <optional>
#include <string>

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// Two requirements of one pod's nodeSelector and required affinity that no node can meet together,
/// in any cluster.
struct Contradiction {
  std::string key;
  std::string first;  ///< `In (a100)`, `= a100`, `DoesNotExist` …
  std::string second;
  Node first_node;
  Node second_node;
};

/// The first contradiction that prevents the pod from running; with several affinity terms, each
/// must have one. Requirements with unknown or invalid parts are ignored.
[[nodiscard]] std::optional<Contradiction> find_contradiction(const PodSpec& pod);

}  // namespace gpulint
