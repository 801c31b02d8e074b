#pragma once

#include <string>
#include <string_view>

namespace gpulint::generate {

/// The component that sets a label on nodes: `GPU Feature Discovery`, `the provider`; empty if
/// users set it.
[[nodiscard]] std::string_view owner_of_label(std::string_view key);

/// How to get a device or partition label on nodes: set it, unless another component does. `nodes`:
/// `the nodes that have it`.
[[nodiscard]] std::string advise_label(std::string_view nodes, const std::string& key,
                                       const std::string& value);

}  // namespace gpulint::generate
