#pragma once

#include <optional>
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

}  // namespace gpulint
