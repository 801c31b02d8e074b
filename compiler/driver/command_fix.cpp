#include <algorithm>
#include <iostream>
#include <string>

#include <fmt/format.h>

#include "backends/unified_diff.h"
#include "compiler/driver/ask.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/fix.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/driver/write_file.h"

namespace gpulint {
namespace {

/// Prints what would change; the exit status says whether anything would.
[[nodiscard]] int print_diffs(const FixOutcome& outcome) {
  for (const auto& [path, file] : outcome.files) {
    std::cout << unified_diff(path, file.before, file.after);
  }
  return outcome.files.empty() ? 0 : 1;
}

/// Standard input fixed goes to standard output whole, changed or not.
void print_standard_input(const FixOutcome& outcome, const std::string& name) {
  const SourceSet& sources = outcome.project->sources;
  for (FileId id = 0; id < sources.size(); ++id) {
    if (sources.file(id).path() == name) std::cout << sources.file(id).text();
  }
}

/// Writes every changed file; one that cannot be written does not keep the others from it.
void write_changes(FixOutcome& outcome, const std::string& stdin_name) {
  for (const auto& [path, file] : outcome.files) {
    if (path == stdin_name) continue;
    if (const auto error = replace_file(path, file.before, file.after)) {
      outcome.project->errors.push_back(fmt::format("{}: {}", path, error->message));
    }
  }
}

[[nodiscard]] bool reads_standard_input(const Options& options) {
  return std::ranges::find(options.paths, "-") != options.paths.end();
}

}  // namespace

int run_fix(const Options& options) {
  const Result<std::vector<Output>> outputs = plan_outputs(options);
  if (!outputs.ok()) return refuse(outputs.error());
  Asker asker(options.ask ? Asker::Mode::ask : Asker::Mode::take_all);
  FixOutcome outcome = fix_inputs(options, [&](const Project& project, const Diagnostic& finding) {
    return asker.wants(project, finding);
  });
  if (const auto error = refuse_project(*outcome.project, options)) return refuse(*error);
  if (options.diff) return print_diffs(outcome);
  const bool from_stdin = reads_standard_input(options);
  write_changes(outcome, from_stdin ? stdin_name(options) : std::string{});
  if (from_stdin) {
    print_standard_input(outcome, stdin_name(options));
    return outcome.project->errors.empty() ? 0 : 2;
  }
  if (!options.quiet && outcome.applied > 0) {
    std::cerr << fmt::format("fixed {} in {} file{}\n", outcome.applied, outcome.files.size(),
                             outcome.files.size() == 1 ? "" : "s");
  }
  return report(*outcome.project, outcome.remaining, options, outputs.value());
}

}  // namespace gpulint
