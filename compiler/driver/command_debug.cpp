#include <iostream>
#include <string>

#include <fmt/format.h>

#include "backends/debug_json.h"
#include "backends/placement_output.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/report.h"
#include "compiler/pipeline.h"

namespace gpulint {

int run_debug_admit(const Options& options) {
  const auto project = load_project(options);
  for (const std::string& error : project->errors) print_error(error);
  if (!project->errors.empty()) return 2;
  emit_tolerations_json(admit_first_pod(*project), std::cout);
  return 0;
}

int run_debug(const Options& options) {
  bool is_done = true;
  for (const std::string& path : options.paths) {
    const bool shows_json = options.command == Command::debug_json;
    const Result<LoneFile> read = parse_alone(path, !shows_json);
    if (!read.ok()) {
      std::cerr << read.error().message << '\n';
      return 2;
    }
    const LoneFile& lone = read.value();
    const SourceFile& file = lone.sources->file(lone.file);
    write_python_spans(lone.statements, std::cout);
    if (lone.is_python) continue;
    if (options.paths.size() > 1) std::cout << fmt::format("==> {} <==\n", path);
    const bool is_read = (shows_json ? write_kubernetes_json : write_all_spans)(
        file, lone.documents, std::cout, std::cerr);
    is_done = is_done && is_read;
  }
  return is_done ? 0 : 1;
}

}  // namespace gpulint
