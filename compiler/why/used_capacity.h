#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/why/tell.h"

namespace gpulint::why {

/// What pods of the inputs that are bound to a node (`spec.nodeName`) and have not ended hold of
/// it.
struct UsedCapacity {
  std::int64_t amount = 0;
  std::vector<std::string> pods;
};

/// Of one resource, by the nodes' names; what the subject itself holds is left out.
[[nodiscard]] std::map<std::string, UsedCapacity> used_capacity(const Subject& subject,
                                                                std::string_view resource);

}  // namespace gpulint::why
