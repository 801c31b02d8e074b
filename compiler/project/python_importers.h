#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gpulint {

/// A Python source and the words in its imports (python::imported_words).
struct PythonImports {
  std::string path;
  std::vector<std::string> words;
};

/// The sorted indexes in `others` of sources that may import one of `sources`, directly or through
/// each other. Imports are compared with the names of files and folders.
[[nodiscard]] std::vector<std::size_t> find_python_importers(
    const std::vector<std::string>& sources, const std::vector<PythonImports>& others);

}  // namespace gpulint
