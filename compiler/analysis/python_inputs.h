#pragma once

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/flyte/python_tasks.h"
#include "compiler/inputs/input_files.h"
#include "compiler/ir/node.h"
#include "compiler/model/settings.h"

namespace gpulint {

/// The tasks of each Python source among the inputs; an entry also for those without.
using PythonInputs = std::map<FileId, flyte::PythonTasks>;

/// Whether a file is a Python source, by its name.
[[nodiscard]] bool is_python(std::string_view path);

[[nodiscard]] PythonInputs read_python_inputs(const SourceSet& sources,
                                              const std::vector<InputFile>& inputs, unsigned jobs);

/// Adds the tasks of those of the files that are Python to what is declared; not where a task of
/// the same name is. Where neither the user nor the files' documents tell Flyte's version, tasks
/// that are all Flyte 2's do.
void add_python_tasks(const PythonInputs& python, const std::vector<FileId>& files,
                      const std::vector<const Document*>& documents, Settings& settings);

}  // namespace gpulint
