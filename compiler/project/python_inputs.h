#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/flyte/python_tasks.h"
#include "compiler/project/file_system.h"
#include "compiler/project/input_files.h"
#include "compiler/project/task_declarations.h"

namespace gpulint {

/// The tasks of each Python source and package among the inputs. Files without tasks have an entry
/// too.
using PythonInputs = std::map<FileId, flyte::PythonTasks>;

/// `others`: paths of sources that the inputs may import from. Imported ones are added to
/// `sources`.
[[nodiscard]] PythonInputs read_python_inputs(SourceSet& sources,
                                              const std::vector<InputFile>& inputs,
                                              const std::vector<std::string>& others,
                                              const FileSystem& files, unsigned jobs);

/// Whether a file is a Python source or a package, which is not read as YAML.
[[nodiscard]] bool is_python_or_package(const SourceFile& file);

/// The Python sources and packages among the files.
[[nodiscard]] TaskFiles task_files(const PythonInputs& python, const std::vector<FileId>& files);

/// Whether there are tasks or remarks for rules or the model.
[[nodiscard]] bool has_tasks_or_remarks(const flyte::PythonTasks& tasks);

}  // namespace gpulint
