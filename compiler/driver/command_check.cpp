#include <cstdio>
#include <iostream>

#include <fmt/format.h>

#include "compiler/driver/commands.h"
#include "compiler/driver/project.h"
#include "compiler/engine/run.h"

namespace gpulint {

int run_check(const Options& options) {
  const auto project = load_project(options);
  for (const std::string& error : project->errors) std::fprintf(stderr, "gpulint: %s\n", error.c_str());
  std::vector<Diagnostic> findings;
  for (const Scope& scope : project->scopes) {
    for (Diagnostic& d : run_rules(scope.corpus, all_rules(), project->config.config.selection)) {
      findings.push_back(std::move(d));
    }
  }
  sort_and_merge(findings);
  for (const Diagnostic& d : findings) {
    const SourceFile& f = project->sources.file(d.span);
    const Position p = f.position(d.span.begin);
    std::cout << fmt::format("{}:{}:{}: {}[{}]: {}\n", f.path(), p.line, p.column,
                             to_string(d.severity), d.rule->id, d.message);
  }
  return findings.empty() ? 0 : 1;
}

}  // namespace gpulint
