#pragma once

#include <string>
#include <string_view>

#include "compiler/messages/event.h"

namespace gpulint::events {

/// What a claim means, and a command that shows more.
struct Explanation {
  std::string meaning;  ///< A sentence, lower case, no final period.
  std::string command;  ///< Shows it in the cluster; empty if there is none.
};

/// `kubectl VERB pod NAME -n NAMESPACE`, without the namespace if it is unknown.
[[nodiscard]] std::string pod_command(std::string_view verb, const Subject& pod);

[[nodiscard]] Explanation explain(const Claim& claim, const Event& event);

}  // namespace gpulint::events
