#pragma once

#include <string>
#include <string_view>

#include "compiler/messages/event.h"

namespace gpulint::events {

/// What a claim means, and how to see more of it.
struct Explanation {
  std::string meaning;  ///< A clause whose subject are the nodes, pool or queue of the claim.
  std::string command;  ///< What shows it in the cluster; empty where nothing would.
};

/// `kubectl VERB pod NAME -n NAMESPACE`, as far as they are known.
[[nodiscard]] std::string pod_command(std::string_view verb, const Subject& pod);

[[nodiscard]] Explanation explain(const Claim& claim, const Event& event);

}  // namespace gpulint::events
