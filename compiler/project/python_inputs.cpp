#include "compiler/project/python_inputs.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/parallel.h"
#include "compiler/base/source_file.h"
#include "compiler/flyte/packaged_tasks.h"
#include "compiler/flyte/python_names.h"
#include "compiler/ir/python.h"
#include "compiler/project/file_system.h"
#include "compiler/project/path_words.h"
#include "frontend/protobuf/package.h"
#include "frontend/python/parse.h"

namespace gpulint {
namespace {

/// Finds the modules that Python inputs import from one another, and from other Python files of the
/// walk: `gpu.py` for `import gpu`, `a/b.py` or `a/b/__init__.py` for `a.b`. A module is in the
/// folder of the source or in a folder around it, and must be unique. Files that are not inputs are
/// read when they are needed. Not thread-safe.
class ModuleFinder final : public flyte::PythonModules {
 public:
  /// `inputs` are parsed sources, `others` are paths. All arguments must outlive it; `sources`
  /// grows.
  ModuleFinder(SourceSet& sources, const FileSystem& files,
               const std::vector<python::Module>& inputs, const std::vector<std::string>& others);

  [[nodiscard]] const flyte::PythonScope* find(FileId from, std::uint32_t dots,
                                               std::string_view module) override;

 private:
  struct Known {
    const python::Module* module = nullptr;
    std::unique_ptr<const python::Module> own;  ///< Of a file that is not an input.
    std::unique_ptr<const flyte::PythonScope> scope;
    bool is_unreadable = false;
  };

  using ByPath = std::map<std::string, Known, std::less<>>;

  [[nodiscard]] ByPath::iterator look_up(const std::string& folder, std::string_view module);
  [[nodiscard]] const flyte::PythonScope* scope_of(ByPath::value_type& file);

  SourceSet& sources_;
  const FileSystem& files_;
  ByPath known_;
};

ModuleFinder::ModuleFinder(SourceSet& sources, const FileSystem& files,
                           const std::vector<python::Module>& inputs,
                           const std::vector<std::string>& others)
    : sources_(sources), files_(files) {
  for (const std::string& path : others) known_.try_emplace(path);
  for (const python::Module& module : inputs) {
    known_[sources.file(module.file).path()].module = &module;
  }
}

/// Adds the tasks of packages.
void add_packages(const SourceSet& sources, const std::vector<InputFile>& inputs,
                  PythonInputs& python) {
  std::vector<std::unique_ptr<Document>> documents;
  std::vector<const Document*> packages;
  for (const InputFile& input : inputs) {
    const SourceFile& file = sources.file(input.id);
    if (!file.is_told()) continue;
    packages.push_back(documents.emplace_back(package::parse(file)).get());
  }
  python.merge(flyte::read_packaged_tasks(packages));
}

}  // namespace

/// The module in a folder. The end if there is none, or if both a file and a package match.
ModuleFinder::ByPath::iterator ModuleFinder::look_up(const std::string& folder,
                                                     std::string_view module) {
  std::string path(module);
  std::ranges::replace(path, '.', '/');
  if (!folder.empty()) path.insert(0, folder + (path.empty() ? "" : "/"));
  const auto file = path.empty() ? known_.end() : known_.find(path + ".py");
  const auto package = known_.find(path + (path.empty() ? "__init__.py" : "/__init__.py"));
  if (file != known_.end() && package != known_.end()) return known_.end();
  return file == known_.end() ? package : file;
}

const flyte::PythonScope* ModuleFinder::scope_of(ByPath::value_type& file) {
  auto& [path, known] = file;
  if (known.scope || known.is_unreadable) return known.scope.get();
  if (known.module == nullptr) {
    Result<DecodedBytes> bytes = files_.read(path);
    if (!bytes.ok()) {
      known.is_unreadable = true;
      return nullptr;
    }
    DecodedBytes text = std::move(bytes).value();
    const FileId id = sources_.add(path, std::move(text.text), text.encoding);
    known.own = std::make_unique<const python::Module>(python::parse(sources_.file(id)));
    known.module = known.own.get();
  }
  known.scope = std::make_unique<const flyte::PythonScope>(*known.module, this);
  return known.scope.get();
}

const flyte::PythonScope* ModuleFinder::find(FileId from, std::uint32_t dots,
                                             std::string_view module) {
  std::string folder = folder_of(sources_.file(from).path());
  if (dots > 0) {
    for (std::uint32_t i = 1; i < dots; ++i) {
      if (folder.empty()) return nullptr;
      folder = folder_of(folder);
    }
    const auto found = look_up(folder, module);
    return found == known_.end() ? nullptr : scope_of(*found);
  }
  auto only = known_.end();
  for (;; folder = folder_of(folder)) {
    const auto found = look_up(folder, module);
    if (found != known_.end()) {
      if (only != known_.end()) return nullptr;
      only = found;
    }
    if (folder.empty() || folder == "/") break;
  }
  return only == known_.end() ? nullptr : scope_of(*only);
}

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
    python.emplace(read[i], flyte::read_python_tasks(modules[i], file, &finder));
  }
  std::vector<flyte::PythonTasks*> tasks;
  for (auto& [file, of_file] : python) tasks.push_back(&of_file);
  flyte::add_unused_remarks(tasks);
  add_packages(sources, inputs, python);
  return python;
}

bool is_python_or_package(const SourceFile& file) {
  return file.is_told() || python::is_source(file.path());
}

TaskFiles task_files(const PythonInputs& python, const std::vector<FileId>& files) {
  TaskFiles found;
  for (const FileId file : files) {
    const auto tasks = python.find(file);
    if (tasks != python.end()) found.emplace_back(file, &tasks->second);
  }
  return found;
}

bool has_tasks_or_remarks(const flyte::PythonTasks& tasks) {
  return tasks.document != nullptr || !tasks.remarks.empty();
}

}  // namespace gpulint
