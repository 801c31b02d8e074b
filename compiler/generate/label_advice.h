#pragma once

#include <string>
#include <string_view>

namespace gpulint::generate {

/// Who sets a label on nodes, where it is not theirs who run the cluster: `GPU Feature Discovery`,
/// `the provider`; empty where users set it.
[[nodiscard]] std::string_view owner_of_label(std::string_view key);

/// What to do so that nodes carry a device or partition under a label: to set it, unless it belongs
/// to somebody else. `nodes`: `the nodes that have it`.
[[nodiscard]] std::string advise_label(std::string_view nodes, const std::string& key,
                                       const std::string& value);

}  // namespace gpulint::generate
