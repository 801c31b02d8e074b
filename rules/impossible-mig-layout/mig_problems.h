#pragma once

#include <string>

#include "compiler/model/mig_config.h"

namespace gpulint::rules {

/// What is wrong with a place of mig-parted's configuration: `devices` is missing …
[[nodiscard]] std::string describe(const MigConfigProblem& problem);

/// Whether the field that is missing stands there misspelt, which another problem tells.
[[nodiscard]] bool is_misspelt(const MigConfigFile& file, const MigConfigProblem& missing);

}  // namespace gpulint::rules
