#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "compiler/driver/commands.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/report.h"
#include "compiler/pipeline.h"
#include "compiler/project/write_file.h"

namespace gpulint {
namespace {

/// Prints tasks that have no solution, or an unknown one.
void print_doubts(const Generated& generated) {
  const auto print = [](const auto& task) {
    print_error(fmt::format("task `{}`: {}", task.task, task.message));
    if (!task.advice.empty()) print_error(fmt::format("  {}", task.advice));
  };
  std::ranges::for_each(generated.unsolved, print);
  std::ranges::for_each(generated.open, print);
}

/// Whether the written values suffice: every task fits, as far as the inputs show. If nothing is
/// written, that must be certain.
[[nodiscard]] bool is_solved(const Generated& generated) {
  return generated.unsolved.empty() &&
         std::ranges::all_of(generated.open, [&](const generate::OpenTask& task) {
           return task.is_likely && !generated.is_empty;
         });
}

[[nodiscard]] int write(const std::string& text, const Options& options) {
  if (options.output.empty()) {
    std::cout << text << std::flush;
    return std::cout ? 0 : 2;
  }
  if (const auto error = write_file(options.output, text)) {
    return refuse(Error{fmt::format("{}: {}", options.output, error->message)});
  }
  return 0;
}

}  // namespace

int run_generate(const Options& options) {
  const auto project = load_project(options);
  print_account(*project, options);
  if (const auto error = refuse_project(*project, options)) return refuse(*error);
  for (const std::string& error : project->errors) print_error(error);
  print_task_hints(*project, options);
  const GeneratedConfig config = generate_config(*project, options.bare);
  for (const Generated& generated : config.scopes) {
    print_notes(generated.notes, options);
    print_doubts(generated);
  }
  if (config.error) return refuse(*config.error);
  if (write(config.text, options) != 0 || !project->errors.empty()) return 2;
  return std::ranges::all_of(config.scopes, is_solved) ? 0 : 1;
}

}  // namespace gpulint
