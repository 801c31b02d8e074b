#include "compiler/project/python_inputs.h"

#include <memory>
#include <utility>

#include "compiler/base/parallel.h"
#include "compiler/flyte/packaged_tasks.h"
#include "compiler/ir/python.h"
#include "compiler/project/python_modules.h"
#include "frontend/protobuf/package.h"
#include "frontend/python/imports.h"
#include "frontend/python/parse.h"

namespace gpulint {
namespace {

/// Of what was told of packages.
void add_packages(const SourceSet& sources, const std::vector<InputFile>& inputs,
                  PythonInputs& python) {
  std::vector<std::unique_ptr<Document>> told;
  std::vector<const Document*> packages;
  for (const InputFile& input : inputs) {
    const SourceFile& file = sources.file(input.id);
    if (file.has_lines()) continue;
    packages.push_back(told.emplace_back(package::parse(file)).get());
  }
  python.merge(flyte::read_packaged_tasks(packages));
}

}  // namespace

PythonInputs read_python_inputs(SourceSet& sources, const std::vector<InputFile>& inputs,
                                const std::vector<std::string>& others, const FileSystem& files,
                                unsigned jobs) {
  std::vector<FileId> read;
  for (const InputFile& input : inputs) {
    if (python::is_source(sources.file(input.id).path())) read.push_back(input.id);
  }
  const std::vector<python::Module> modules = parallel_map(
      read.size(), jobs, [&](std::size_t i) { return python::parse(sources.file(read[i])); });
  ModuleFinder finder(sources, files, modules, others);
  PythonInputs python;
  for (std::size_t i = 0; i < read.size(); ++i) {
    const SourceFile& file = sources.file(read[i]);
    const bool has_tasks = python::may_declare_tasks(file.text());
    python.emplace(read[i], has_tasks ? flyte::read_python_tasks(modules[i], file, &finder)
                                      : flyte::PythonTasks());
  }
  add_packages(sources, inputs, python);
  return python;
}

bool holds_no_documents(const SourceFile& file) {
  return !file.has_lines() || python::is_source(file.path());
}

TaskFiles task_files(const PythonInputs& python, const std::vector<FileId>& files) {
  TaskFiles found;
  for (const FileId file : files) {
    const auto tasks = python.find(file);
    if (tasks != python.end()) found.emplace_back(file, &tasks->second);
  }
  return found;
}

bool says_anything(const flyte::PythonTasks& tasks) {
  return tasks.document != nullptr || !tasks.remarks.empty();
}

}  // namespace gpulint
