#include "compiler/analysis/python_inputs.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "compiler/base/parallel.h"
#include "compiler/flyte/assume.h"
#include "compiler/flyte/loaded_release.h"
#include "compiler/flyte/task.h"
#include "frontend/python/parse.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_of_flyte2(Node entry) {
  return flyte::version_of_entry(entry) == FlyteVersion::v2;
}

}  // namespace

bool is_python(std::string_view path) { return path.ends_with(".py"); }

PythonInputs read_python_inputs(const SourceSet& sources, const std::vector<InputFile>& inputs,
                                unsigned jobs) {
  std::vector<FileId> files;
  for (const InputFile& input : inputs) {
    if (is_python(sources.file(input.id).path())) files.push_back(input.id);
  }
  auto read = parallel_map(files.size(), jobs, [&](std::size_t i) {
    const SourceFile& file = sources.file(files[i]);
    if (!flyte::may_declare_tasks(file.text())) return flyte::PythonTasks();
    return flyte::read_python_tasks(python::parse(file), file);
  });
  PythonInputs python;
  for (std::size_t i = 0; i < files.size(); ++i) python.emplace(files[i], std::move(read[i]));
  return python;
}

void add_python_tasks(const PythonInputs& python, const std::vector<FileId>& files,
                      const std::vector<const Document*>& documents, Settings& settings) {
  if (python.empty()) return;
  std::set<std::string> declared;
  for (const flyte::Task& task : flyte::declared_tasks(settings, FlyteVersion::unknown)) {
    declared.insert(task.name);
  }
  for (const FileId file : files) {
    const auto found = python.find(file);
    if (found == python.end() || !found->second.document) continue;
    for (const Node entry : root(*found->second.document).items()) {
      const std::string name(entry.get("name").text());
      if (!declared.contains(name)) settings.tasks.push_back(entry);
    }
  }
  const bool is_open = settings.flyte_version == FlyteVersion::unknown &&
                       flyte::detect_version(documents) == FlyteVersion::unknown;
  if (is_open && !settings.tasks.empty() && std::ranges::all_of(settings.tasks, is_of_flyte2)) {
    settings.flyte_version = FlyteVersion::v2;
  }
}

}  // namespace gpulint
