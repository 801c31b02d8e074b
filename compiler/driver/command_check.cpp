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
#include "compiler/check/suppression.h"
#include "compiler/driver/accounts.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/options.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/driver/terminal.h"
#include "compiler/edit/fixer.h"
#include "compiler/pipeline.h"
#include "compiler/project/boundary.h"
#include "compiler/project/config_file.h"
#include "compiler/project/input_files.h"
#include "compiler/project/not_compared.h"
#include "compiler/project/pods_alike.h"
#include "compiler/project/project.h"
#include "compiler/project/read_summary.h"
#include "compiler/project/request.h"
#include "compiler/project/write_file.h"

namespace gpulint {
namespace {

/// What a finding says and in which file, wherever it stands.
using Saying = std::tuple<std::string, std::string_view, std::string>;

[[nodiscard]] std::multiset<Saying> sayings(const Project& project,
                                            const std::vector<Diagnostic>& findings) {
  std::multiset<Saying> all;
  for (const Diagnostic& finding : findings) {
    all.emplace(project.sources.file(finding.span).path(), finding.rule->id, finding.message);
  }
  return all;
}

/// Files in which something is found that was not found before.
[[nodiscard]] std::set<std::string> files_made_worse(std::multiset<Saying> before,
                                                     const std::multiset<Saying>& after) {
  std::set<std::string> worse;
  for (const Saying& saying : after) {
    const auto known = before.find(saying);
    if (known == before.end()) {
      worse.insert(std::get<0>(saying));
    } else {
      before.erase(known);
    }
  }
  return worse;
}

[[nodiscard]] Overlay suppressed_texts(const Project& project,
                                       const std::vector<Diagnostic>& findings,
                                       const std::string& reason) {
  Overlay texts;
  std::map<FileId, std::vector<Diagnostic>> by_file;
  for (const Diagnostic& finding : findings) by_file[finding.span.file].push_back(finding);
  for (const auto& [id, found] : by_file) {
    if (id >= project.documents.size()) continue;
    const SourceFile& file = project.sources.file(id);
    if (file.encoding() != SourceFile::Encoding::utf8) continue;
    std::vector<const Document*> documents;
    for (const auto& document : project.documents[id]) documents.push_back(document.get());
    const std::vector<Edit> edits = suppression_edits(file, documents, found, reason);
    if (!edits.empty()) texts.emplace(file.path(), apply_edits(file.text(), edits));
  }
  return texts;
}

[[nodiscard]] std::string text_of(const Project& project, const std::string& path) {
  for (FileId id = 0; id < project.sources.size(); ++id) {
    const SourceFile& file = project.sources.file(id);
    if (file.path() == path) return std::string(file.text());
  }
  return {};
}

/// Writes comments that silence the findings for the reason, which stands on one line. A file is
/// written only if reading it again gives no finding that it did not have. Returns the project as
/// it is then; what could not be written is among its errors.
[[nodiscard]] std::unique_ptr<Project> suppress_findings(const Project& project,
                                                         const std::vector<Diagnostic>& findings,
                                                         const Request& request,
                                                         const std::string& reason) {
  const std::multiset<Saying> before = sayings(project, check_project(project, request));
  Overlay texts = suppressed_texts(project, findings, reason);
  auto result = load_project(request, texts);
  const auto worse = files_made_worse(before, sayings(*result, check_project(*result, request)));
  if (!worse.empty()) {
    std::erase_if(texts, [&](const auto& entry) { return worse.contains(entry.first); });
    result = load_project(request, texts);
  }
  for (const auto& [path, text] : texts) {
    if (!request.allow_outside) {
      if (const auto error = refuse_leaving(disk(), path, project.config.config.folder)) {
        result->errors.push_back(error->message);
        continue;
      }
    }
    if (const auto error = replace_file(path, text_of(project, path), text.text)) {
      result->errors.push_back(fmt::format("{}: {}", path, error->message));
    }
  }
  return result;
}

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
  if (const auto error = keep_asked(*result, options, left, notes)) return refuse(*error);
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

int run_show_files(const Options& options) {
  SourceSet sources;
  ConfigFile config;
  int status = 0;
  const auto fail = [&](const std::string& message) {
    print_error(message);
    status = 2;
  };
  const std::string path = find_config_file(disk(), options);
  if (!path.empty()) {
    const Result<FileId> id = read_source(path, options, disk(), sources);
    if (!id.ok()) return refuse(id.error());
    config = read_config_file(sources.file(id.value()));
    for (const std::string& error : config.errors) fail(error);
  }
  const Inputs inputs = read_inputs(options, config.reading.config, disk(), sources);
  for (const InputFile& input : inputs.files) {
    const std::string& name = sources.file(input.id).path();
    if (!input.is_asked_about || name == path) continue;
    std::cout << (is_terminal_output() ? printable(name) : name) << '\n';
  }
  for (const std::string& error : inputs.errors) fail(error);
  return std::cout.flush() ? status : 2;
}

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
  if (const auto error = keep_asked(*project, options, findings, notes)) return refuse(*error);
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
