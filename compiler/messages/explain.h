#pragma once

#include <string>

#include "compiler/messages/event.h"

namespace gpulint::events {

/// What a claim means, and how to see more of it.
struct Explanation {
  std::string meaning;  ///< A clause whose subject are the nodes, pool or queue of the claim.
  std::string command;  ///< What shows it in the cluster; empty where nothing would.
};

[[nodiscard]] Explanation explain(const Claim& claim, const Event& event);

}  // namespace gpulint::events
