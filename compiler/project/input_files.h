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
  std::vector<std::string> errors;  ///< Files and folders that could not be read; ready to print.
  std::vector<std::string> own_outputs;  ///< Left out of walks: this run writes there.
  std::string original_stdin;         ///< The bytes of standard input, where they were transcoded.
  std::vector<std::string> excluded;  ///< Files and folders that `exclude` leaves out, sorted.
  /// Files that kustomizations name outside of the repository or current folder: not read. Sorted.
  std::vector<std::string> outside;
  /// Python that a walk found and that imports no SDK of Flyte's: no inputs.
  std::vector<std::string> other_python;
};

/// Finds the files that the options and gpulint.yaml name, and reads them into `sources`.
[[nodiscard]] Inputs read_inputs(const Request& request, const Config& config,
                                 const FileSystem& files, SourceSet& sources);

/// Reads a file that is no input itself: gpulint.yaml, tasks.
[[nodiscard]] Result<FileId> read_source(const std::string& path, const Request& request,
                                         const FileSystem& files, SourceSet& sources);

/// By which name the texts of an Overlay stand for a file that the request has read: its path, and
/// `-` for standard input.
[[nodiscard]] std::string overlay_name(const Request& request, const SourceFile& file);

/// A path without `.` and needless `..` components, as SourceFile and settings have it.
[[nodiscard]] std::string normal_path(const std::string& path);

/// The path as globs of gpulint.yaml see it: relative to the folder of that file.
[[nodiscard]] std::string path_in_config(const FileSystem& files, const Config& config,
                                         const std::string& path);

}  // namespace gpulint
