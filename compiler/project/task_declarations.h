#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/flyte/python_tasks.h"
#include "compiler/ir/document.h"
#include "compiler/model/settings.h"

namespace gpulint {

/// The Python sources and packages of a scope, in order.
using TaskFiles = std::vector<std::pair<FileId, const flyte::PythonTasks*>>;

/// Adds the tasks of files to the declared tasks. A task that the user declares replaces a task
/// with the same name, and a packaged task replaces its source unless both are the same.
/// Differences become remarks. Tasks whose PodTemplate is not among the documents are left out,
/// with a remark. If the version of Flyte is unknown and all tasks are of Flyte 2, it is set to 2.
void add_tasks(const TaskFiles& files, const SourceSet& sources,
               const std::vector<const Document*>& documents, Settings& settings);

}  // namespace gpulint
