#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "backends/unicode.h"
#include "compiler/base/diagnostic.h"
#include "compiler/base/progress.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/options.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/driver/stopwatch.h"
#include "compiler/driver/terminal.h"
#include "compiler/driver/watch.h"
#include "compiler/pipeline.h"
#include "compiler/project/file_system.h"
#include "compiler/project/write_changes.h"

namespace gpulint {
namespace {

/// `check --add-suppressions REASON`: writes comments that suppress the findings, reports those
/// that no comment can suppress, and returns the exit status. A file is written only if checking it
/// again gives no new finding.
[[nodiscard]] int add_suppressions(const Project& project, const std::vector<Diagnostic>& findings,
                                   const Options& options, const std::vector<Output>& outputs) {
  const std::string& reason = options.add_suppressions;
  if (std::ranges::any_of(reason, [](char c) { return static_cast<unsigned char>(c) < ' '; })) {
    return refuse({"--add-suppressions: the reason must be one line"});
  }
  if (std::ranges::find(options.paths, "-") != options.paths.end()) {
    return refuse({"--add-suppressions cannot write to standard input"});
  }
  const Suppressed suppressed = suppress(project, findings, options, reason);
  Project& result = *suppressed.project;
  std::ranges::move(write_changes(result, options, suppressed.files),
                    std::back_inserter(result.errors));
  std::vector<Diagnostic> left = check_project(result, options);
  std::vector<std::string> notes;
  if (const auto error = keep_asked(result, options, left, notes)) return refuse(*error);
  if (!options.quiet) {
    notes.push_back(fmt::format("suppressed {} of {} findings",
                                findings.size() - std::min(left.size(), findings.size()),
                                findings.size()));
  }
  const int status = report(result, left, options, outputs);
  for (const std::string& note : notes) print_error(note);
  return status;
}

[[nodiscard]] Progress::Visibility visibility(const Options& options) {
  return !options.quiet && wants_progress() ? Progress::Visibility::shown
                                            : Progress::Visibility::hidden;
}

/// Reports the findings of a project and returns the exit status.
[[nodiscard]] int report_findings(const Project& project, std::vector<Diagnostic> findings,
                                  const Options& options, const std::vector<Output>& outputs) {
  std::vector<std::string> notes;
  if (const auto error = keep_asked(project, options, findings, notes)) return refuse(*error);
  if (!options.add_suppressions.empty()) {
    return add_suppressions(project, findings, options, outputs);
  }
  findings = point_to_changes(project, options, std::move(findings));
  const int status = report(project, findings, options, outputs);
  print_task_hints(project, options);
  if (!options.quiet) {
    if (runs_on_defaults(project)) {
      print_error(
          "no Flyte configuration among the inputs: tasks are checked with Flyte's defaults");
    }
    if (const std::size_t pods = project.pods_alike.total(); pods != 0) {
      print_error(
          fmt::format("pods of the same pod template were checked once; pods skipped: {}", pods));
    }
    for (const std::string& note : notes) print_error(note);
    print_notes(notes_on_comparison(project), options);
    print_notes(notes_on_inputs(project), options);
  }
  if (options.verbose && options.renderer != nullptr) {
    print_error(
        fmt::format("charts and kustomizations were rendered {} times", options.renderer->count()));
  }
  return status;
}

[[nodiscard]] Request request_of(const Options& options) {
  Request request = options;
  request.groups_pods = true;
  return request;
}

/// Checks once and returns the exit status.
[[nodiscard]] int check_once(const Options& options, const std::vector<Output>& outputs) {
  Stopwatch stopwatch;
  std::optional<Progress> progress(std::in_place, visibility(options));
  const auto project = load_project(request_of(options), Overlay{}, &*progress);
  stopwatch.lap("reading");
  if (!project->errors.empty() || options.verbose) progress.reset();  // prints nothing below it
  print_account(*project, options);
  if (const auto error = refuse_project(*project, options)) {
    return report_refusal(*project, *error, options, outputs);
  }
  std::vector<Diagnostic> findings =
      check_project(*project, options, progress ? &*progress : nullptr);
  progress.reset();
  findings = fold_findings(*project, std::move(findings));
  stopwatch.lap("checking");
  const int status = report_findings(*project, std::move(findings), options, outputs);
  stopwatch.lap("writing");
  stopwatch.print(options);
  return status;
}

/// `check --watch`: after an edit only what it reaches is checked again.
class WatchedCheck {
 public:
  WatchedCheck(const Options& options, const std::vector<Output>& outputs)
      : options_(options), outputs_(outputs) {}

  /// Returns the files that were read.
  [[nodiscard]] WatchedFiles run(const FileChanges& changes) {
    const bool follows = live_ && changes.are_edits && options_.renderer == nullptr &&
                         std::ranges::all_of(changes.edited, [this](const std::string& file) {
                           return follow(file);
                         });
    if (!follows) live_.emplace(request_of(options_), disk());
    const Project& project = live_->project();
    print_account(project, options_);
    if (const auto error = refuse_project(project, options_)) {
      static_cast<void>(report_refusal(project, *error, options_, outputs_));
    } else {
      static_cast<void>(
          report_findings(project, fold_findings(project, find()), options_, outputs_));
    }
    WatchedFiles read;
    for (FileId id = 0; id < project.sources.size(); ++id) {
      read.push_back(project.sources.file(id).path());
    }
    return read;
  }

 private:
  [[nodiscard]] bool follow(const std::string& path) {
    const SourceSet& sources = live_->project().sources;
    for (FileId id = 0; id < sources.size(); ++id) {
      if (sources.file(id).path() != path) continue;
      Result<DecodedBytes> now = disk().read(path);
      const bool is_plain = now.ok() && now.value().encoding == SourceFile::Encoding::utf8;
      return is_plain && live_->edit(id, std::move(now.value().text));
    }
    return false;
  }

  [[nodiscard]] std::vector<Diagnostic> find() {
    // findings in rendered text are moved to the values that decide them
    if (options_.renderer != nullptr) return check_project(live_->project(), options_);
    live_->verify_all();
    return live_->findings();
  }

  const Options& options_;
  const std::vector<Output>& outputs_;
  std::optional<LiveCheck> live_;
};

}  // namespace

int run_show_files(const Options& options) {
  const InputNames inputs = find_inputs(options);
  if (inputs.refusal) return refuse(*inputs.refusal);
  for (const std::string& name : inputs.names) {
    std::cout << (is_terminal_output() ? printable(name) : name) << '\n';
  }
  for (const std::string& error : inputs.errors) print_error(error);
  if (!std::cout.flush()) return 2;
  return inputs.errors.empty() ? 0 : 2;
}

int run_check(const Options& options) {
  const Result<std::vector<Output>> outputs = plan_outputs(options);
  if (!outputs.ok()) return refuse(outputs.error());
  if (!options.watch) return check_once(options, outputs.value());
  if (std::ranges::find(options.paths, "-") != options.paths.end()) {
    return refuse({"--watch cannot wait for changes of standard input"});
  }
  if (!options.add_suppressions.empty()) return refuse({"--watch does not write suppressions"});
  WatchedCheck check(options, outputs.value());
  watch([&](const FileChanges& changes) { return check.run(changes); },
        [&] { return find_inputs(options).names; });
}

}  // namespace gpulint
