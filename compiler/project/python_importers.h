#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gpulint {

/// A Python source, and the words that its imports have (python::imported_words).
struct PythonImports {
  std::string path;
  std::vector<std::string> words;
};

/// The places in `others`, in order, of the sources whose imports may mean one of `sources`, or one
/// that itself imports one of these: as far as names of files and folders say.
[[nodiscard]] std::vector<std::size_t> find_python_importers(
    const std::vector<std::string>& sources, const std::vector<PythonImports>& others);

}  // namespace gpulint
