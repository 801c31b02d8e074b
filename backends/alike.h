#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"

namespace gpulint {

/// What a finding says, whoever it says it of: the names behind kinds, tasks and containers (as in
/// «for Pod `train`») are left out.
[[nodiscard]] std::string without_names(std::string_view message);

/// The first of those names; empty where the message has none.
[[nodiscard]] std::string_view name_in(std::string_view message);

/// How many of a finding's other places a person is shown: eight at most, and three of those that
/// say the same of several names (task `a` is kept off, task `b` is kept off).
[[nodiscard]] std::size_t places_shown(const std::vector<Label>& related);

/// Findings, by their number, that say the same of several workloads: equal in rule, severity, help
/// and fix, and in message but for the name. Groups and their members in the order of the findings.
[[nodiscard]] std::vector<std::vector<std::size_t>> group_alike(
    const std::vector<Diagnostic>& findings);

}  // namespace gpulint
