#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/base/result.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/ir/python.h"

namespace gpulint {

/// A file that was read and parsed by itself.
struct LoneFile {
  std::unique_ptr<SourceSet> sources;  ///< Holds `file` alone.
  FileId file = 0;
  bool is_python = false;
  std::vector<std::unique_ptr<Document>> documents;  ///< Of a file that is not Python.
  std::vector<python::Statement> statements;         ///< Of Python.
};

/// Reads a file; `-` is standard input. `as_python`: a file with the name of a Python source is
/// read as Python. An Error if the file is not readable.
[[nodiscard]] Result<LoneFile> read_lone_file(const std::string& path, bool as_python);

}  // namespace gpulint
