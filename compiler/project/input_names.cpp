#include "compiler/project/input_names.h"

#include <iterator>
#include <utility>

#include "compiler/base/source_file.h"
#include "compiler/project/config_file.h"
#include "compiler/project/input_files.h"

namespace gpulint {

InputNames find_input_names(const Request& request, const FileSystem& files) {
  InputNames result;
  SourceSet sources;
  ConfigFile config;
  const std::string path = find_config_file(files, request);
  if (!path.empty()) {
    const Result<FileId> id = read_source(path, request, files, sources);
    if (!id.ok()) {
      result.refusal = id.error();
      return result;
    }
    config = read_config_file(sources.file(id.value()));
    result.errors = config.errors;
  }
  Inputs inputs = read_inputs(request, config.reading.config, files, sources);
  for (const InputFile& input : inputs.files) {
    const std::string& name = sources.file(input.id).path();
    if (input.is_checked && name != path) result.names.push_back(name);
  }
  std::ranges::move(inputs.errors, std::back_inserter(result.errors));
  return result;
}

Overlay standard_input_of(const SourceSet& sources, const Request& request) {
  Overlay overlay;
  for (FileId id = 0; id < sources.size(); ++id) {
    const SourceFile& file = sources.file(id);
    if (overlay_name(request, file) != "-") continue;
    overlay["-"] = DecodedBytes(std::string(file.text()), file.encoding());
  }
  return overlay;
}

ConfigCheck check_config(const Request& request, const FileSystem& files) {
  ConfigCheck result{find_config_file(files, request), {}};
  if (result.path.empty()) return result;
  SourceSet sources;
  const Result<FileId> id = read_source(result.path, request, files, sources);
  result.errors = id.ok() ? read_config_file(sources.file(id.value())).errors
                          : std::vector<std::string>{id.error().message};
  return result;
}

}  // namespace gpulint
