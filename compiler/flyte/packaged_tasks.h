#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "compiler/base/span.h"
#include "compiler/flyte/python_tasks.h"
#include "compiler/ir/document.h"

namespace gpulint::flyte {

/// The tasks of packages, by the file of each: `packages` hold lists of flyteidl's TaskSpec and
/// WorkflowSpec in protobuf's JSON (frontend/protobuf/package.h). Nodes of workflows that override
/// what a task of any of them asks for are variants of it. As of Python only tasks that ask for
/// GPUs or an accelerator are told; every span lies in the package, of which nobody sees the text.
[[nodiscard]] std::map<FileId, PythonTasks> read_packaged_tasks(
    const std::vector<const Document*>& packages);

/// What the name of a task that `with_overrides` or `override` changes has behind that of the task
/// itself.
[[nodiscard]] std::string_view variant_suffix(std::string_view name);

}  // namespace gpulint::flyte
