#include "compiler/project/sources_by_path.h"

#include "compiler/project/input_files.h"

namespace gpulint {

SourcesByPath::SourcesByPath(const Request& request, const FileSystem& files,
                             const std::vector<InputFile>& inputs, SourceSet& sources)
    : request_(request), files_(files), sources_(sources) {
  for (const InputFile& input : inputs) by_path_.emplace(sources.file(input.id).path(), input.id);
}

std::optional<FileId> SourcesByPath::read(const std::string& path) {
  const auto known = by_path_.find(path);
  if (known != by_path_.end()) return known->second;
  const Result<FileId> id = read_source(path, request_, files_, sources_);
  if (!id.ok()) return std::nullopt;
  by_path_.emplace(path, id.value());
  return id.value();
}

}  // namespace gpulint
