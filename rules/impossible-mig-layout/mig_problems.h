#pragma once

#include <string>

#include "compiler/model/mig_config.h"

namespace gpulint::rules::impossible_mig_layout {

/// What is wrong with a place of mig-parted's configuration: `devices` is missing …
[[nodiscard]] std::string flaw_of(const MigConfigProblem& problem);

/// Whether the field that is missing stands there misspelt, which another problem tells.
[[nodiscard]] bool is_misspelt(const MigConfigFile& file, const MigConfigProblem& missing);

}  // namespace gpulint::rules::impossible_mig_layout
