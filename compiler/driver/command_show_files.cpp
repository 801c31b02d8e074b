#include <iostream>

#include "backends/unicode.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/report.h"
#include "compiler/driver/terminal.h"
#include "compiler/project/config_file.h"
#include "compiler/project/input_files.h"

namespace gpulint {

int run_show_files(const Options& options) {
  SourceSet sources;
  ConfigFile config;
  int status = 0;
  const auto fail = [&](const std::string& message) {
    print_error(message);
    status = 2;
  };
  const std::string path = find_config_file(disk(), options);
  if (!path.empty()) {
    const Result<FileId> id = read_source(path, options, disk(), sources);
    if (!id.ok()) return refuse(id.error());
    config = read_config_file(sources.file(id.value()));
    for (const std::string& error : config.errors) fail(error);
  }
  const Inputs inputs = read_inputs(options, config.reading.config, disk(), sources);
  for (const InputFile& input : inputs.files) {
    const std::string& name = sources.file(input.id).path();
    if (!input.is_asked_about || name == path) continue;
    std::cout << (is_terminal_output() ? printable(name) : name) << '\n';
  }
  for (const std::string& error : inputs.errors) fail(error);
  return std::cout.flush() ? status : 2;
}

}  // namespace gpulint
