#include "compiler/project/python_importers.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace gpulint {
namespace {

/// The name by which imports refer to a source: `gpus` for `a/gpus.py` and `a/gpus/__init__.py`.
[[nodiscard]] std::string module_word(std::string_view path) {
  constexpr std::string_view package = "/__init__.py";
  constexpr std::string_view source = ".py";
  path.remove_suffix(path.ends_with(package) ? package.size() : source.size());
  return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace

std::vector<std::size_t> find_python_importers(const std::vector<std::string>& sources,
                                               const std::vector<PythonImports>& others) {
  std::set<std::string, std::less<>> modules;
  for (const std::string& path : sources) modules.insert(module_word(path));
  std::set<std::size_t> found;
  const auto imports_any = [&](const PythonImports& other) {
    return std::ranges::any_of(other.words,
                               [&](const std::string& word) { return modules.contains(word); });
  };
  for (std::size_t before = modules.size() + 1; !modules.empty() && before != modules.size();) {
    before = modules.size();
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (found.contains(i) || !imports_any(others[i])) continue;
      found.insert(i);
      modules.insert(module_word(others[i].path));
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace gpulint
