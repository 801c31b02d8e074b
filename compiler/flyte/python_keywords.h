#pragma once

#include <string_view>
#include <vector>

#include "compiler/flyte/python_sdk.h"
#include "compiler/ir/python.h"
#include "compiler/model/sdk_remark.h"

namespace gpulint::flyte {

/// Adds a remark for each keyword of `Resources(…)` that the SDK does not have.
void note_resources_keywords(const python::Expression& call, PythonSdk sdk,
                             std::vector<SdkRemark>& remarks);
/// The same for flytekit's `task(…)` and, in Flyte 2, for an environment or its `task(…)`. Only for
/// keywords that mean requests: a later release may have others.
void note_task_keywords(const python::Expression& call, PythonSdk sdk, bool is_environment,
                        std::vector<SdkRemark>& remarks);

/// The same for flytekit's `with_overrides(…)` and Flyte 2's `override(…)`.
void note_override_keywords(const python::Expression& call, PythonSdk sdk,
                            std::vector<SdkRemark>& remarks);
[[nodiscard]] bool is_override_mistake(std::string_view keyword, PythonSdk sdk);

}  // namespace gpulint::flyte
