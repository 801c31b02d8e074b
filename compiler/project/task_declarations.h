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

/// The files of a scope that hold tasks in Python or packaged, in order.
using TaskFiles = std::vector<std::pair<FileId, const flyte::PythonTasks*>>;

/// Adds the tasks of files to what is declared: a task that the user declares stands, one of a
/// package stands before its source unless both say the same; differences are remarks, as is what
/// their SDKs make of them. Those whose pods are built upon a PodTemplate that is not among the
/// documents are left out, with a remark. Where neither the user nor the documents tell Flyte's
/// version, tasks that are all Flyte 2's do.
void add_tasks(const TaskFiles& files, const SourceSet& sources,
               const std::vector<const Document*>& documents, Settings& settings);

}  // namespace gpulint
