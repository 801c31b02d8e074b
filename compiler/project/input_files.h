#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/result.h"
#include "compiler/base/source_file.h"
#include "compiler/engine/config.h"
#include "compiler/project/file_system.h"
#include "compiler/project/input_file.h"
#include "compiler/project/request.h"

namespace gpulint {

/// The files of a run, each once, in the order in which they were named and found.
struct Inputs {
  std::vector<InputFile> files;
  std::vector<std::string> errors;       ///< Why files and folders were not read; ready to print.
  std::vector<std::string> own_outputs;  ///< Files of walks that are outputs of this run: skipped.
  std::string original_stdin;            ///< The bytes of standard input if they were transcoded.
  std::vector<std::string> excluded;     ///< Files and folders that `exclude` matches, sorted.
  /// Files outside of the repository or current folder that kustomizations name. Not read; sorted.
  std::vector<std::string> outside;
  /// Python files of walks that import no Flyte SDK. They are not inputs.
  std::vector<std::string> other_python;
};

/// Finds the files that the options and gpulint.yaml name, and reads them into `sources`.
[[nodiscard]] Inputs read_inputs(const Request& request, const Config& config,
                                 const FileSystem& files, SourceSet& sources);

/// Reads a file that is not an input: gpulint.yaml or the file of --tasks.
[[nodiscard]] Result<FileId> read_source(const std::string& path, const Request& request,
                                         const FileSystem& files, SourceSet& sources);

/// The name of a source file in an Overlay: its path, or `-` for standard input.
[[nodiscard]] std::string overlay_name(const Request& request, const SourceFile& file);

/// A path without `.` and unnecessary `..` parts, as in SourceFile and settings.
[[nodiscard]] std::string normal_path(const std::string& path);

}  // namespace gpulint
