#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/flyte/python_tasks.h"
#include "compiler/inputs/file_system.h"
#include "compiler/inputs/input_files.h"
#include "compiler/ir/node.h"
#include "compiler/model/settings.h"

namespace gpulint {

/// The tasks of each Python source among the inputs; an entry also for those without.
using PythonInputs = std::map<FileId, flyte::PythonTasks>;

/// `others`: paths of sources that the inputs may import from; those that are asked for are added
/// to `sources`.
[[nodiscard]] PythonInputs read_python_inputs(SourceSet& sources,
                                              const std::vector<InputFile>& inputs,
                                              const std::vector<std::string>& others,
                                              const FileSystem& files, unsigned jobs);

/// Whether rules or the model have anything to read there.
[[nodiscard]] bool says_anything(const flyte::PythonTasks& tasks);

/// Adds the tasks of those of the files that are Python to what is declared; not where a task of
/// the same name is, of which a difference is a remark, as is what their SDKs make of them. Where
/// neither the user nor the files' documents tell Flyte's version, tasks that are all Flyte 2's do.
void add_python_tasks(const PythonInputs& python, const std::vector<FileId>& files,
                      const std::vector<const Document*>& documents, Settings& settings);

}  // namespace gpulint
