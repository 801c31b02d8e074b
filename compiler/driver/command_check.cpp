#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/diagnostic.h"
#include "compiler/base/progress.h"
#include "compiler/driver/accounts.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/finding_filter.h"
#include "compiler/driver/options.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/driver/suppress.h"
#include "compiler/driver/terminal.h"
#include "compiler/driver/what_was_read.h"
#include "compiler/pipeline.h"
#include "compiler/project/not_compared.h"
#include "compiler/project/pods_alike.h"
#include "compiler/project/project.h"

namespace gpulint {
namespace {

/// `check --add-suppressions REASON`: writes comments that silence the findings, reports those that
/// no comment can silence, and returns the exit status. A file is written only if reading it again
/// gives no finding that it did not have.
[[nodiscard]] int add_suppressions(const Project& project, const std::vector<Diagnostic>& findings,
                                   const Options& options, const std::vector<Output>& outputs) {
  const std::string& reason = options.add_suppressions;
  if (std::ranges::any_of(reason, [](char c) { return static_cast<unsigned char>(c) < ' '; })) {
    return refuse({"--add-suppressions: the reason must stand on one line"});
  }
  if (std::ranges::find(options.paths, "-") != options.paths.end()) {
    return refuse({"--add-suppressions cannot write into standard input"});
  }
  const auto result = suppress_findings(project, findings, options, reason);
  std::vector<Diagnostic> left = check_project(*result, options);
  std::vector<std::string> notes;
  if (const auto error = filter_findings(*result, options, options.changed_since, left, notes))
    return refuse(*error);
  if (!options.quiet) {
    notes.push_back(fmt::format("suppressed {} of {} findings",
                                findings.size() - std::min(left.size(), findings.size()),
                                findings.size()));
  }
  const int status = report(*result, left, options, outputs);
  for (const std::string& note : notes) print_error(note);
  return status;
}

[[nodiscard]] Progress::Visibility visibility(const Options& options) {
  return !options.quiet && wants_progress() ? Progress::Visibility::shown
                                            : Progress::Visibility::hidden;
}

[[nodiscard]] bool names_nodes(const Config& config) {
  const auto names = [](const ScopeConfig& scope) {
    return !scope.nodes.empty() || scope.settings.node_pools;
  };
  return names(config.top) || std::ranges::any_of(config.scopes, names);
}

/// Workloads whose placement was not checked, where nothing else says so.
void print_uncompared(const Project& project) {
  const Uncompared found = find_uncompared(project);
  if (found.workloads == 0) return;
  const std::string count =
      found.workloads == 1 ? "1 workload was" : fmt::format("{} workloads were", found.workloads);
  if (!found.are_nodes_known) {
    return print_error(fmt::format("{} compared with no nodes: {}", count, nodes_help));
  }
  const bool is_configured = names_nodes(project.config.config);
  if (!is_configured && !found.are_gpus_known) return;
  print_error(fmt::format(
      "{} compared with no nodes, such as {}; {}", count, found.example,
      is_configured ? fmt::format("add the files to `workloads` in {}", project.config_path)
                    : "--nodes FILE compares all of them with its nodes"));
}

}  // namespace

int run_check(const Options& options) {
  const Result<std::vector<Output>> outputs = plan_outputs(options);
  if (!outputs.ok()) return refuse(outputs.error());
  Stopwatch watch;
  std::optional<Progress> progress(std::in_place, visibility(options));
  Request request = options;
  request.groups_pods = true;
  const auto project = load_project(request, {}, &*progress);
  watch.lap("reading");
  if (!project->errors.empty() || options.verbose) progress.reset();  // prints nothing below it
  print_account(*project, options);
  if (const auto error = refuse_project(*project, options)) {
    return report_refusal(*project, *error, options, outputs.value());
  }
  std::vector<Diagnostic> findings =
      check_project(*project, options, progress ? &*progress : nullptr);
  progress.reset();
  group_by_owner(*project, findings);
  explain_other_languages(*project, findings);
  watch.lap("checking");
  std::vector<std::string> notes;
  if (const auto error = filter_findings(*project, options, options.changed_since, findings, notes))
    return refuse(*error);
  if (!options.add_suppressions.empty()) {
    return add_suppressions(*project, findings, options, outputs.value());
  }
  const int status = report(*project, findings, options, outputs.value());
  watch.lap("writing");
  print_task_hints(*project, options);
  if (!options.quiet) {
    if (runs_on_defaults(*project)) {
      print_error("nothing of Flyte's among the inputs: tasks are checked under Flyte's defaults");
    }
    if (const std::size_t pods = project->pods_alike.total(); pods != 0) {
      print_error(fmt::format(
          "of pods that owners made of one template one was read, not the {} others", pods));
    }
    for (const std::string& note : notes) print_error(note);
    for (const std::string& note : describe_not_compared(*project)) print_error(note);
    print_uncompared(*project);
    print_unmerged(*project);
    print_unknown_amounts(*project);
  }
  watch.print(options);
  return status;
}

}  // namespace gpulint
