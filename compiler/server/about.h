#pragma once

#include <string>
#include <vector>

namespace gpulint::server {

/// Facts about this program.
struct About {
  std::string version;
  std::string homepage;  ///< Where the pages of rules are; empty: there are none.
};

/// Bodies of messages (framing.h).
using Messages = std::vector<std::string>;

}  // namespace gpulint::server
