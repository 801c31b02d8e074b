#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"

namespace gpulint {

/// A finding's message without names: the names after kinds, tasks and containers, as in "for Pod
/// `train`", are left out.
[[nodiscard]] std::string without_names(std::string_view message);

/// The first of those names; empty if the message has none.
[[nodiscard]] std::string_view name_in(std::string_view message);

/// How many related places of a finding people see: at most eight, and at most three that differ
/// only by a name (task `a` needs a GPU, task `b` needs a GPU).
[[nodiscard]] std::size_t places_shown(const std::vector<Label>& related);

/// Groups of findings (indexes) that differ only by the workload's name: equal rule, severity, help
/// and fix, and equal message without names. Groups and members keep the order of the findings.
[[nodiscard]] std::vector<std::vector<std::size_t>> group_alike(
    const std::vector<Diagnostic>& findings);

}  // namespace gpulint
