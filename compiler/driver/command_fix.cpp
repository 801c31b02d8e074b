#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "backends/unicode.h"
#include "backends/unified_diff.h"
#include "compiler/analysis/check.h"
#include "compiler/analysis/fix.h"
#include "compiler/answers/finding_filter.h"
#include "compiler/base/text.h"
#include "compiler/driver/accounts.h"
#include "compiler/driver/ask.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/driver/terminal.h"
#include "compiler/inputs/boundary.h"
#include "compiler/inputs/temporary_file.h"
#include "compiler/inputs/write_file.h"

namespace gpulint {
namespace {

/// Text for programs as it is, for a terminal without what would steer it.
void print_text(std::string_view text) {
  if (!is_terminal_output()) {
    std::cout << text;
    return;
  }
  while (!text.empty()) std::cout << printable(take_part(text, '\n')) << '\n';
}

void print_diffs(const FixOutcome& outcome) {
  for (const auto& [path, file] : outcome.files) {
    print_text(unified_diff(path, file.before, file.after));
  }
}

/// Standard input fixed goes to standard output whole, changed or not.
void print_standard_input(const FixOutcome& outcome, const std::string& name) {
  const SourceSet& sources = outcome.project->sources;
  for (FileId id = 0; id < sources.size(); ++id) {
    if (sources.file(id).path() != name) continue;
    const std::string& original = outcome.project->original_stdin;  // is never edited
    print_text(original.empty() ? sources.file(id).text() : original);
  }
}

/// Writes every changed file; one that cannot be written does not keep the others from it. Returns
/// how many could not.
[[nodiscard]] std::size_t write_changes(FixOutcome& outcome, const Options& options,
                                        const std::string& stdin_name) {
  const std::string& config_folder = outcome.project->config.config.folder;
  const std::size_t errors_before = outcome.project->errors.size();
  for (const auto& [path, file] : outcome.files) {
    if (path == stdin_name) continue;
    if (!options.allow_outside) {
      if (const auto error = refuse_leaving(disk(), path, config_folder)) {
        outcome.project->errors.push_back(error->message);
        continue;
      }
    }
    if (const auto error = replace_file(path, file.before, file.after)) {
      outcome.project->errors.push_back(fmt::format("{}: {}", path, error->message));
    }
  }
  return outcome.project->errors.size() - errors_before;
}

/// What is found in the files as they are now: some of them were not written.
void look_again(FixOutcome& outcome, const Options& options) {
  Overlay standard_input;
  for (FileId id = 0; id < outcome.project->sources.size(); ++id) {
    const SourceFile& file = outcome.project->sources.file(id);
    if (overlay_name(options, file) != "-") continue;
    standard_input["-"] = DecodedBytes(std::string(file.text()), file.encoding());
  }
  std::vector<std::string> errors = std::move(outcome.project->errors);
  outcome.project = load_project(options, standard_input);
  outcome.project->errors = std::move(errors);
  outcome.remaining = check_project(*outcome.project, options);
}

void tell_changes(const FixOutcome& outcome, std::size_t unwritten, bool from_stdin) {
  const std::size_t files = outcome.files.size();
  if (unwritten > 0) {
    std::cerr << fmt::format("wrote {} of the {} file{} to be changed\n", files - unwritten, files,
                             files == 1 ? "" : "s");
  } else if (outcome.applied > 0) {
    std::cerr << fmt::format("fixed {} in {} file{}\n", outcome.applied, files,
                             files == 1 ? "" : "s");
  } else if (!outcome.remaining.empty() && !from_stdin) {  // else the report is there
    std::cerr << "fixed nothing\n";
  }
}

/// What runs left that were killed, beside the files of this one.
void remove_leftovers(const Project& project, const Options& options) {
  std::set<std::filesystem::path> folders;
  for (const FileId id : project.inputs) {
    const std::string& path = project.sources.file(id).path();
    const std::string& config_folder = project.config.config.folder;
    if (!options.allow_outside && refuse_leaving(disk(), path, config_folder)) continue;
    std::error_code error;
    const std::filesystem::path file = std::filesystem::canonical(path, error);
    if (!error) folders.insert(file.parent_path());
  }
  std::ranges::for_each(folders, remove_stale_temporaries);
}

[[nodiscard]] bool reads_standard_input(const Options& options) {
  return std::ranges::find(options.paths, "-") != options.paths.end();
}

/// Where standard output holds a text or a diff, reports without a file go to standard error.
[[nodiscard]] std::vector<Output> beside_standard_output(std::vector<Output> outputs) {
  for (Output& output : outputs) output.on_standard_error = output.file.empty();
  return outputs;
}

/// Leaves those of the remaining findings that --baseline and --changed-since ask for.
[[nodiscard]] std::optional<Error> keep_asked(FixOutcome& outcome, const Options& options) {
  std::vector<std::string> notes;
  auto error =
      filter_findings(*outcome.project, options, options.changed_since, outcome.remaining, notes);
  if (!error && !options.quiet) {
    for (const std::string& note : notes) print_error(note);
  }
  return error;
}

/// Whether anything would change counts for the exit status, too.
[[nodiscard]] int show_changes(const FixOutcome& outcome, const Options& options,
                               const std::vector<Output>& outputs) {
  print_diffs(outcome);
  std::vector<Output> beside = beside_standard_output(outputs);
  // A line each is enough beside a diff.
  if (options.formats.empty()) beside.front().backend = find_backend("concise");
  const int status = report(*outcome.project, outcome.remaining, options, beside);
  return status == 0 && !outcome.files.empty() ? 1 : status;
}

}  // namespace

int run_fix(const Options& options) {
  const Result<std::vector<Output>> outputs = plan_outputs(options);
  if (!outputs.ok()) return refuse(outputs.error());
  Asker asker(options.ask ? Asker::Mode::ask : Asker::Mode::take_all);
  FixOutcome outcome = fix_inputs(options, [&](const Project& project, const Diagnostic& finding) {
    return asker.wants(project, finding);
  });
  print_account(*outcome.project, options);
  if (const auto error = refuse_project(*outcome.project, options)) {
    return report_refusal(*outcome.project, *error, options, outputs.value());
  }
  if (options.diff) {
    if (!options.write_baseline.empty()) {
      return refuse({"--diff writes nothing; it does not go with --write-baseline"});
    }
    if (const auto error = keep_asked(outcome, options)) return refuse(*error);
    return show_changes(outcome, options, outputs.value());
  }
  const bool from_stdin = reads_standard_input(options);
  remove_leftovers(*outcome.project, options);
  const std::size_t unwritten =
      write_changes(outcome, options, from_stdin ? stdin_name(options) : std::string{});
  if (from_stdin) print_standard_input(outcome, stdin_name(options));
  if (unwritten > 0) look_again(outcome, options);
  if (!options.quiet) tell_changes(outcome, unwritten, from_stdin);
  if (const auto error = keep_asked(outcome, options)) return refuse(*error);
  return report(*outcome.project, outcome.remaining, options,
                from_stdin ? beside_standard_output(outputs.value()) : outputs.value());
}

}  // namespace gpulint
