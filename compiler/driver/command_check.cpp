#include <cstdio>
#include <iostream>

#include <fmt/format.h>

#include "compiler/driver/commands.h"
#include "compiler/driver/check.h"
#include "compiler/driver/project.h"

namespace gpulint {

int run_check(const Options& options) {
  const auto project = load_project(options);
  for (const std::string& error : project->errors) std::fprintf(stderr, "gpulint: %s\n", error.c_str());
  const std::vector<Diagnostic> findings = check_project(*project, options);
  for (const Diagnostic& d : findings) {
    const SourceFile& f = project->sources.file(d.span);
    const Position p = f.position(d.span.begin);
    std::cout << fmt::format("{}:{}:{}: {}[{}]: {}\n", f.path(), p.line, p.column,
                             to_string(d.severity), d.rule->id, d.message);
  }
  return findings.empty() ? 0 : 1;
}

}  // namespace gpulint
