#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/project/file_system.h"
#include "compiler/project/input_file.h"
#include "compiler/project/request.h"

namespace gpulint {

/// The inputs, and further files that are read at their first use.
class SourcesByPath {
 public:
  /// The arguments except `inputs` must outlive it.
  SourcesByPath(const Request& request, const FileSystem& files,
                const std::vector<InputFile>& inputs, SourceSet& sources);

  [[nodiscard]] bool contains(const std::string& path) const { return by_path_.contains(path); }
  /// Nullopt if it cannot be read. `path`: as in SourceFile.
  [[nodiscard]] std::optional<FileId> read(const std::string& path);

 private:
  const Request& request_;
  const FileSystem& files_;
  SourceSet& sources_;
  std::map<std::string, FileId, std::less<>> by_path_;
};

}  // namespace gpulint
