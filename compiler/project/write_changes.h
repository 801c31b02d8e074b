#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/project/project.h"
#include "compiler/project/request.h"

namespace gpulint {

/// The old and the new text of a file.
struct ChangedFile {
  std::string before;
  std::string after;
};
using ChangedFiles = std::map<std::string, ChangedFile>;  // by path as in SourceFile

/// Replaces each file with replace_file(), even if others cannot be written. Files behind a link
/// that leads out of the repository are not written, unless the request allows it. Returns a line
/// for each file that was not written, ready to print.
[[nodiscard]] std::vector<std::string> write_changes(const Project& project, const Request& request,
                                                     const ChangedFiles& files);

/// Removes temporary files of killed runs from the folders of the inputs.
void remove_leftovers(const Project& project, const Request& request);

}  // namespace gpulint
