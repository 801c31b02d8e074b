#include <algorithm>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "backends/ink.h"
#include "backends/unicode.h"
#include "backends/unified_diff.h"
#include "compiler/base/diagnostic.h"
#include "compiler/base/text.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/driver/terminal.h"
#include "compiler/pipeline.h"
#include "compiler/project/patch_name.h"
#include "compiler/project/write_changes.h"

namespace gpulint {
namespace {

/// Asks about each fix on the terminal, as `git add -p` does: y applies this one, n skips it, a
/// applies it and all that follow, q skips it and all that follow. The end of input counts as q.
/// Later rounds do not ask again about a skipped fix.
class Asker {
 public:
  enum class Mode : std::uint8_t { ask, take_all, leave_all };
  explicit Asker(Mode mode) : mode_(mode) {}

  [[nodiscard]] bool wants(const Project& project, const Diagnostic& finding);

 private:
  Mode mode_;
  std::set<std::string> answered_no_;
};

/// The index of the document that contains the finding; fixes add and remove no documents.
[[nodiscard]] std::uint32_t document_index(const Project& project, Span span) {
  if (span.file >= project.documents.size()) return 0;
  for (const auto& document : project.documents[span.file]) {
    if (document->span.begin <= span.begin && span.begin <= document->span.end) {
      return document->index;
    }
  }
  return 0;
}

/// Identifies a finding in later rounds, where its offset may differ.
[[nodiscard]] std::string identity(const Project& project, const Diagnostic& finding) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", project.sources.file(finding.span).path(),
                     document_index(project, finding.span), finding.rule->id, finding.path,
                     finding.message);
}

/// The edits of one file as a coloured diff.
void print_hunk(const SourceFile& file, const std::vector<Edit>& edits, const Presentation& style) {
  const std::string diff = unified_diff(name_in_patch(file.path()), file, edits);
  std::istringstream lines(diff);
  for (std::string line; std::getline(lines, line);) {
    std::cout << paint(ink_of_diff_line(line), printable(line), style) << '\n';
  }
}

void show(const Project& project, const Diagnostic& finding) {
  const Presentation style{
      .color = wants_color(When::automatic), .hyperlinks = false, .summary = false, .width = 0};
  std::cout << fmt::format("{}[{}]: {}\n", to_string(finding.severity), finding.rule->id,
                           printable(finding.message));
  std::map<FileId, std::vector<Edit>> by_file;
  for (const Edit& edit : finding.fix->edits) by_file[edit.span.file].push_back(edit);
  for (const auto& [file, edits] : by_file) print_hunk(project.sources.file(file), edits, style);
}

/// Unchanged for programs; without control characters for a terminal.
void print_text(std::string_view text) {
  if (!is_terminal_output()) {
    std::cout << text;
    return;
  }
  while (!text.empty()) std::cout << printable(take_part(text, '\n')) << '\n';
}

void print_diffs(const FixOutcome& outcome) {
  for (const auto& [path, file] : outcome.files) {
    print_text(unified_diff(name_in_patch(path), file.before, file.after));
  }
}

/// Fixed standard input is printed whole, changed or not.
void print_standard_input(const FixOutcome& outcome, const std::string& name) {
  const SourceSet& sources = outcome.project->sources;
  for (FileId id = 0; id < sources.size(); ++id) {
    if (sources.file(id).path() != name) continue;
    const std::string& original = outcome.project->original_stdin;  // is never edited
    print_text(original.empty() ? sources.file(id).text() : original);
  }
}

[[nodiscard]] bool reads_standard_input(const Options& options) {
  return std::ranges::find(options.paths, "-") != options.paths.end();
}

/// Writes every changed file. Returns how many could not be written; the reasons are among the
/// errors.
[[nodiscard]] std::size_t write_all(FixOutcome& outcome, const Options& options) {
  ChangedFiles files = outcome.files;
  if (reads_standard_input(options)) files.erase(stdin_name(options));
  std::vector<std::string> errors = write_changes(*outcome.project, options, files);
  const std::size_t count = errors.size();
  std::ranges::move(errors, std::back_inserter(outcome.project->errors));
  return count;
}

/// Checks the files as they are now, because some were not written.
void look_again(FixOutcome& outcome, const Options& options) {
  std::vector<std::string> errors = std::move(outcome.project->errors);
  CheckedProject now = check_again(*outcome.project, options);
  outcome.project = std::move(now.project);
  outcome.remaining = std::move(now.findings);
  outcome.project->errors = std::move(errors);
}

void tell_changes(const FixOutcome& outcome, std::size_t unwritten, bool from_stdin) {
  const std::size_t files = outcome.files.size();
  if (unwritten > 0) {
    std::cerr << fmt::format("wrote {} of {} file{} with fixes\n", files - unwritten, files,
                             files == 1 ? "" : "s");
  } else if (outcome.applied > 0) {
    std::cerr << fmt::format("fixed {} in {} file{}\n", outcome.applied, files,
                             files == 1 ? "" : "s");
  } else if (!outcome.remaining.empty() && !from_stdin) {  // else the report is there
    std::cerr << "fixed nothing\n";
  }
}

/// If standard output holds a text or a diff, reports without a file go to standard error.
[[nodiscard]] std::vector<Output> beside_standard_output(std::vector<Output> outputs) {
  for (Output& output : outputs) output.on_standard_error = output.file.empty();
  return outputs;
}

/// Applies --baseline and --changed-since to the remaining findings.
[[nodiscard]] std::optional<Error> keep_asked(FixOutcome& outcome, const Options& options) {
  std::vector<std::string> notes;
  auto error = keep_asked(*outcome.project, options, outcome.remaining, notes);
  if (!error && !options.quiet) {
    for (const std::string& note : notes) print_error(note);
  }
  return error;
}

/// The exit status is also 1 if anything would change.
[[nodiscard]] int show_changes(const FixOutcome& outcome, const Options& options,
                               const std::vector<Output>& outputs) {
  print_diffs(outcome);
  std::vector<Output> beside = beside_standard_output(outputs);
  // next to a diff, one line for each finding is enough
  if (options.formats.empty()) beside.front().backend = find_backend("concise");
  const int status = report(*outcome.project, outcome.remaining, options, beside);
  return status == 0 && !outcome.files.empty() ? 1 : status;
}

}  // namespace

bool Asker::wants(const Project& project, const Diagnostic& finding) {
  const std::string name = identity(project, finding);
  if (answered_no_.contains(name)) return false;
  if (mode_ != Mode::ask) return mode_ == Mode::take_all;
  show(project, finding);
  while (true) {
    std::cout << fmt::format("{} ({})? [y,n,a,q] ", printable(finding.fix->title),
                             to_string(finding.fix->safety))
              << std::flush;
    std::string answer;
    if (!std::getline(std::cin, answer)) {
      answer = "q";
      std::cout << '\n';
    }
    if (answer == "y") return true;
    if (answer == "a" || answer == "q") {
      mode_ = answer == "a" ? Mode::take_all : Mode::leave_all;
      return answer == "a";
    }
    if (answer == "n") {
      answered_no_.insert(name);
      return false;
    }
    std::cout
        << "y: apply this fix, n: skip it, a: apply it and all others, q: skip it and all others\n";
  }
}

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
      return refuse({"--diff writes nothing; it cannot be combined with --write-baseline"});
    }
    if (const auto error = keep_asked(outcome, options)) return refuse(*error);
    return show_changes(outcome, options, outputs.value());
  }
  const bool from_stdin = reads_standard_input(options);
  remove_leftovers(*outcome.project, options);
  const std::size_t unwritten = write_all(outcome, options);
  if (from_stdin) print_standard_input(outcome, stdin_name(options));
  if (unwritten > 0) look_again(outcome, options);
  if (!options.quiet) tell_changes(outcome, unwritten, from_stdin);
  if (const auto error = keep_asked(outcome, options)) return refuse(*error);
  return report(*outcome.project, outcome.remaining, options,
                from_stdin ? beside_standard_output(outputs.value()) : outputs.value());
}

}  // namespace gpulint
