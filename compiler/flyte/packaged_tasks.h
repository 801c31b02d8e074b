#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "compiler/base/span.h"
#include "compiler/flyte/python_tasks.h"
#include "compiler/ir/document.h"

namespace gpulint::flyte {

/// The tasks of packages, by file. `packages` are lists of flyteidl's TaskSpec and WorkflowSpec in
/// protobuf's JSON (frontend/protobuf/package.h). A workflow's node that overrides the requests of
/// a task is a variant of the task. As with Python, only tasks that request GPUs or an accelerator
/// are returned. Every span is in the package, whose text is not readable.
[[nodiscard]] std::map<FileId, PythonTasks> read_packaged_tasks(
    const std::vector<const Document*>& packages);

/// The suffix in the name of a task that `with_overrides` or `override` changes.
[[nodiscard]] std::string_view variant_suffix(std::string_view name);

}  // namespace gpulint::flyte
