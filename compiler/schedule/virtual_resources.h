#pragma once

#include <set>
#include <string>

#include "compiler/model/scope/scope_model.h"

namespace gpulint {

/// Stands among virtual resources for every one, where a device class leaves its name open.
inline constexpr const char* any_resource = "*";
/// Stands among them where a device plugin is told to share or to partition devices.
inline constexpr const char* shared_devices = "*shared";

/// Extended resources that nodes may offer although none states them: those that DRA's device
/// classes stand for.
[[nodiscard]] std::set<std::string, std::less<>> virtual_resources(const ScopeModel& model);

}  // namespace gpulint
