#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/project/project.h"
#include "compiler/project/request.h"

namespace gpulint {

/// A file with what it holds and what it is to hold.
struct ChangedFile {
  std::string before;
  std::string after;
};
using ChangedFiles = std::map<std::string, ChangedFile>;  // by path as in SourceFile

/// Replaces each file as replace_file() does; one that cannot be written does not keep the others
/// from it, and none is written through a link that leads out of the repository unless the request
/// allows that. Why files were not written: a line each, ready to print.
[[nodiscard]] std::vector<std::string> write_changes(const Project& project, const Request& request,
                                                     const ChangedFiles& files);

/// Removes what runs left that were killed, beside the files of this one.
void remove_leftovers(const Project& project, const Request& request);

}  // namespace gpulint
