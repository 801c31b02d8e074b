#pragma once

#include <set>
#include <string>

#include "compiler/model/scope/scope_model.h"

namespace gpulint {

/// An entry of virtual_resources() for any resource, if a DeviceClass has an unknown name for one.
inline constexpr const char* any_resource = "*";
/// An entry for a device plugin that is configured to share or partition devices.
inline constexpr const char* shared_devices = "*shared";

/// Extended resources that nodes may offer although none lists them: those of DeviceClasses (DRA).
[[nodiscard]] std::set<std::string, std::less<>> virtual_resources(const ScopeModel& model);

}  // namespace gpulint
