#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/result.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"

namespace gpulint {

/// An Error if a run must not write to one of its outputs. The output is an input of the run under
/// any name (manifests, values, nodes, tasks, gpulint.yaml, the baseline, standard input), a file
/// in a walked folder that gpulint did not write, the target of two outputs, or behind a link that
/// leads out of the repository.
[[nodiscard]] std::optional<Error> refuse_targets(const Project& project, const Request& request);

/// The same check for a new gpulint.yaml at `target`. An existing configuration may be overwritten,
/// but not a file with another name that a link leads to.
[[nodiscard]] std::optional<Error> refuse_config_target(const Project& project,
                                                        const Request& request,
                                                        const std::string& target);

}  // namespace gpulint
