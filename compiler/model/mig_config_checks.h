#pragma once

#include <string>
#include <vector>

#include "compiler/model/mig_config.h"

namespace gpulint {

/// Appends what mig-parted accepts in a well-formed entry and yet does not do as written.
void check_mig_entry(const MigConfigEntry& entry, const std::string& config,
                     std::vector<MigConfigProblem>& problems);

}  // namespace gpulint
