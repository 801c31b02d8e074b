#include <cstdio>
#include <iostream>

#include "backends/backend.h"
#include "compiler/driver/check.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/project.h"
#include "compiler/driver/version.h"

namespace gpulint {

int run_check(const Options& options) {
  const auto project = load_project(options);
  for (const std::string& error : project->errors) {
    std::fprintf(stderr, "gpulint: %s\n", error.c_str());
  }
  const std::vector<Diagnostic> findings = check_project(*project, options);
  const Run run{.sources = project->sources,
                .diagnostics = findings,
                .rules = {},
                .summary = summarize(findings, project->file_count, project->document_count),
                .version = version,
                .root = {},
                .presentation = {},
                .placement = {},
                .pods = {}};
  const Backend* backend = find_backend(options.formats.empty() ? "text" : options.formats[0].name);
  if (backend == nullptr) return 2;
  backend->emit(run, std::cout);
  if (!project->errors.empty()) return 2;
  return run.summary.errors + run.summary.warnings > 0 ? 1 : 0;
}

}  // namespace gpulint
