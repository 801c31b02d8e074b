#include "compiler/project/file_system.h"

namespace gpulint {

bool is_same_file(const FileSystem& files, const std::string& one, const std::string& other) {
  const FileStatus first = files.status(one);
  const FileStatus second = files.status(other);
  return first.exists() && second.exists() && first.identity == second.identity;
}

}  // namespace gpulint
