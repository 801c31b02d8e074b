#include "compiler/project/python_modules.h"

#include <algorithm>
#include <utility>

#include "compiler/project/path_words.h"
#include "frontend/python/parse.h"

namespace gpulint {

ModuleFinder::ModuleFinder(SourceSet& sources, const FileSystem& files,
                           const std::vector<python::Module>& inputs,
                           const std::vector<std::string>& others)
    : sources_(sources), files_(files) {
  for (const std::string& path : others) known_.try_emplace(path);
  for (const python::Module& module : inputs) {
    known_[sources.file(module.file).path()].module = &module;
  }
}

/// The module in the folder; the end where there is none, or both a file and a package.
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

}  // namespace gpulint
