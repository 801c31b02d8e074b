#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/result.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"

namespace gpulint {

/// Why a run may not write where its options say: a target is one of its inputs under whatever name
/// (manifests, values, nodes, tasks, gpulint.yaml, the baseline, the file behind standard input), a
/// file of the folder to check that gpulint did not write, the target of two outputs, or it lies
/// behind a link that leads out of the repository. Nothing where it may.
[[nodiscard]] std::optional<Error> refuse_targets(const Project& project, const Request& request);

/// The same of a gpulint.yaml that goes to `target`: a configuration that is there may go; what a
/// link of its name leads to need not be one.
[[nodiscard]] std::optional<Error> refuse_config_target(const Project& project,
                                                        const Request& request,
                                                        const std::string& target);

}  // namespace gpulint
