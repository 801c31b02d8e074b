#pragma once

#include "compiler/driver/options.h"
#include "compiler/driver/project.h"

namespace gpulint {

/// Adds the tasks of `--tasks` and `--task` to the settings of every scope, before those of
/// gpulint.yaml. What cannot be read is among the project's errors.
void load_tasks(const Options& options, Project& project);

}  // namespace gpulint
