#include "compiler/driver/report.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "backends/backend.h"
#include "backends/baseline_file.h"
#include "backends/compiled_pods.h"
#include "backends/ink.h"
#include "backends/unicode.h"
#include "compiler/base/counted.h"
#include "compiler/base/shell_word.h"
#include "compiler/base/text.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/terminal.h"
#include "compiler/driver/version.h"
#include "compiler/engine/registry.h"
#include "compiler/engine/selection.h"
#include "compiler/pipeline.h"
#include "compiler/project/overwriting.h"
#include "compiler/project/write_file.h"

namespace gpulint {
namespace {

/// SOURCE_DATE_EPOCH if it is set, else the clock.
[[nodiscard]] std::time_t now() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no code sets variables
  if (const char* const set = std::getenv("SOURCE_DATE_EPOCH")) {
    const std::string_view text = set;
    std::time_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error == std::errc() && end == text.data() + text.size()) return seconds;
  }
  return std::time(nullptr);
}

[[nodiscard]] std::string date_text() {
  const std::time_t seconds = now();
  std::tm parts{};
  if (gmtime_r(&seconds, &parts) == nullptr) return {};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min);
}

/// The text after `read: `.
[[nodiscard]] std::string without_prefix(const std::string& text) {
  return text.substr(std::min(text.find(": ") + 2, text.size()));
}

/// `gpulint` with its arguments, quoted for a shell.
[[nodiscard]] std::string quote_words(const std::vector<std::string>& words) {
  std::string text = "gpulint";
  for (const std::string& word : words) text += " " + shell_word(word);
  return text;
}

namespace fs = std::filesystem;

/// Reported paths are relative to the repository, or to the current folder outside of one.
[[nodiscard]] std::string repository_root() {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  for (fs::path folder = here; !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error)) return folder.string();
    if (folder == folder.parent_path()) break;
  }
  return here.string();
}

/// The origin of a report, which pages print. The date is SOURCE_DATE_EPOCH if it is set
/// (reproducible-builds.org): equal inputs then give equal reports.
[[nodiscard]] Provenance provenance_of(const Project& project,
                                       const std::vector<std::string>& words,
                                       const ReadSummary& read) {
  return {.project = fs::path(repository_root()).filename().string(),
          .command = quote_words(words),
          .configuration = project.config_path,
          .revision = current_revision(),
          .date = date_text(),
          .read = read.is_nothing ? "" : without_prefix(describe(read))};
}

constexpr const char* nothing_read = "no input contains anything that gpulint reads";

constexpr const char* what_is_read =
    "name manifests, Flyte values or nodes (`kubectl get nodes -o yaml >nodes.yaml`), or run "
    "gpulint in their folder; `gpulint check --show-files` lists the files it would read";

/// Formats that can contain the failure of a run.
constexpr auto failing_formats = std::to_array<std::string_view>({"json", "sarif", "junit"});

[[nodiscard]] bool is_refused(const ConfigReading& reading) {
  return std::ranges::any_of(reading.problems, [](const ConfigProblem& problem) {
    return problem.kind == ConfigProblem::Kind::refused;
  });
}

[[nodiscard]] bool reaches(const std::vector<Diagnostic>& findings, Severity threshold) {
  return std::ranges::any_of(findings,
                             [&](const Diagnostic& d) { return d.severity >= threshold; });
}

/// The first words of a rule's name, as many as `written` has.
[[nodiscard]] std::string_view beginning_of(std::string_view name, std::string_view written) {
  auto words = std::ranges::count(written, '-') + 1;
  const auto end = std::ranges::find_if(name, [&](char c) { return c == '-' && --words == 0; });
  return {name.begin(), end};
}

/// What an unknown name may mean: a name with a similar spelling, with a similar beginning, or one
/// that contains it.
[[nodiscard]] std::string suggest_rule(const std::string& name,
                                       const std::vector<std::string_view>& names) {
  if (const auto near = nearest(name, names)) return fmt::format("did you mean `{}`?", *near);
  std::set<std::string> longer;
  for (const std::string_view each : names) {
    const std::array beginning{beginning_of(each, name)};
    const bool holds = name.size() > 2 && each.find(to_lower(name)) != std::string_view::npos;
    if (holds || nearest(name, beginning)) longer.insert(fmt::format("`{}`", each));
  }
  constexpr std::size_t most_names = 4;
  if (longer.empty() || longer.size() > most_names) return "`gpulint rules` lists them";
  return fmt::format("did you mean {}?", fmt::join(longer, " or "));
}

/// The parts of an error as printed: `gone.yaml: cannot be read`.
[[nodiscard]] RunError as_run_error(const std::string& text) {
  const std::size_t end = text.find(": ");
  const bool names_file =
      end != std::string::npos && !text.starts_with("--") && text.find(' ') > end;
  if (!names_file) return {"", text};
  return {text.substr(0, end), text.substr(end + 2)};
}

/// Whether a finding is in the file, which says more than that the file was not read.
[[nodiscard]] bool has_finding(const Project& project, const std::vector<Diagnostic>& findings,
                               const std::string& path) {
  return std::ranges::any_of(findings, [&](const Diagnostic& finding) {
    return project.sources.file(finding.span).path() == path;
  });
}

/// Prints what was read, and which named files were not.
void print_reading(const Project& project, const std::vector<Diagnostic>& findings,
                   const ReadSummary& read, const Options& options) {
  if (!read.is_nothing) {
    print_error(describe(read));
  } else if (!options.require_input) {
    print_error(fmt::format("{}; {}", nothing_read, what_is_read));
  }
  for (const UnreadFile& file : read.not_read) {
    if (has_finding(project, findings, file.file)) continue;
    if (!read.is_nothing || !file.why.empty()) print_error(describe(file));
  }
}

/// Names the output files if nothing goes to standard output.
void print_written(const std::vector<Output>& outputs) {
  const auto is_file = [](const Output& output) {
    std::error_code error;
    return !output.file.empty() && fs::is_regular_file(output.file, error);
  };
  if (!std::ranges::all_of(outputs, is_file)) return;
  for (const Output& output : outputs) print_error("wrote " + output.file);
}

/// A selected rule that would not run: an error if `--select` names it, a note if the configuration
/// does.
[[nodiscard]] std::optional<Error> refuse_previews(const Selection& configured,
                                                   const Options& options) {
  if (options.preview || configured.preview) return std::nullopt;
  for (const std::string& name : options.select.empty() ? configured.select : options.select) {
    const RegisteredRule* const rule = find_rule(name);
    if (rule == nullptr || rule->rule->info.state != RuleState::preview) continue;
    std::string message = fmt::format("{} is in preview: add --preview", name);
    if (!options.select.empty()) return Error{std::move(message)};
    print_error(message);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> refuse_rule_name(const std::string& name, const Config& config) {
  const bool is_rule = std::ranges::any_of(
      all_rules(), [&](const RegisteredRule& rule) { return names_rule(name, rule.rule->info); });
  const bool is_policy = std::ranges::any_of(
      config.policies, [&](const Policy& policy) { return names_rule(name, policy.info); });
  if (is_rule || is_policy) return std::nullopt;
  if (equal_fold(name, "all")) {
    return Error{fmt::format("unknown rule `{}`; all rules run without --select", name)};
  }
  std::vector<std::string_view> names;
  for (const RegisteredRule& rule : all_rules()) {
    names.insert(names.end(), {rule.rule->info.id, rule.rule->info.category});
  }
  for (const Policy& policy : config.policies) names.emplace_back(policy.id);
  return Error{fmt::format("unknown rule `{}`; {}", name, suggest_rule(name, names))};
}

std::optional<Error> refuse_project(const Project& project, const Options& options) {
  const bool has_config = !project.config_documents.empty();
  const bool unreadable = !options.config.empty() && !has_config && !project.errors.empty();
  const bool broken = std::ranges::any_of(project.config_documents,
                                          [](const auto& d) { return !d->errors.empty(); });
  if (unreadable || broken || is_refused(project.config)) {
    const std::size_t more = project.errors.empty() ? 0 : project.errors.size() - 1;
    for (std::size_t i = 0; i < more; ++i) print_error(project.errors[i]);
    return Error{project.errors.empty() ? "the configuration cannot be used"
                                        : project.errors.back()};
  }
  for (const auto* names : {&options.select, &options.ignore}) {
    for (const std::string& name : *names) {
      if (auto error = refuse_rule_name(name, project.config.config)) return error;
    }
  }
  if (auto error = refuse_previews(project.config.config.top.selection, options)) return error;
  return refuse_targets(project, options);
}

std::vector<RuleText> rule_texts() {
  std::vector<RuleText> texts;
  for (const RegisteredRule& rule : all_rules()) {
    texts.push_back({&rule.rule->info, rule.documentation, rule.policy});
  }
  return texts;
}

Run make_run(const Project& project, const std::vector<Diagnostic>& findings,
             const Options& options) {
  std::error_code error;
  FindingPlaces places = find_places(project, options, findings);
  return {.sources = project.sources,
          .diagnostics = findings,
          .rules = rule_texts(),
          .summary = summarize(findings, project.inputs.size() - project.context_only.size(),
                               project.document_count),
          .version = version,
          .homepage = homepage,
          .folder = fs::current_path(error).string(),
          .root = repository_root(),
          .presentation = {.color = wants_color(options.color),
                           .hyperlinks = wants_hyperlinks(options.color),
                           .summary = !options.quiet,
                           .width = terminal_width()},
          .placements = {},
          .unplaced = 0,
          .pods = {},
          .read = tell_reading(project),
          .errors = {},
          .fail_on = options.fail_on,
          .provenance = {},
          .objects = std::move(places.objects),
          .notes = {},
          .origins = std::move(places.origins),
          .wants_statistics = options.statistics};
}

void add_cluster(const Project& project, const PageAnswers& answers, Run& run) {
  run.placements = answers.matrices;
  run.notes = answers.notes;
  run.unplaced = answers.unplaced;
  const auto show = [&](const flyte::CompiledPod& pod) {
    run.pods.push_back(report_pod(pod, project.sources));
  };
  for (const Scope& scope : project.scopes) {
    for (const flyte::Installation& installation : scope.flyte.installations) {
      std::ranges::for_each(installation.pods, show);
    }
  }
  std::ranges::for_each(answers.placed.refused, show);
}

int report_refusal(const Project& project, const Error& error, const Options& options,
                   const std::vector<Output>& outputs) {
  print_error(error.message);
  if (refuse_targets(project, options)) return 2;  // one of the outputs is at fault
  std::vector<Output> told = outputs;
  std::erase_if(told, [](const Output& output) {
    return std::ranges::find(failing_formats, output.backend->name) == failing_formats.end();
  });
  const std::vector<Diagnostic> none;
  Run run = make_run(project, none, options);
  std::ranges::transform(project.errors, std::back_inserter(run.errors), as_run_error);
  const bool is_known = std::ranges::find(project.errors, error.message) != project.errors.end();
  if (!is_known) run.errors.push_back(as_run_error(error.message));
  for (const std::string& unwritten : write_outputs(told, options, run)) print_error(unwritten);
  return 2;
}

std::optional<Error> keep_asked(const Project& project, const Options& options,
                                std::vector<Diagnostic>& findings,
                                std::vector<std::string>& notes) {
  Result<KeptFindings> kept = keep_findings(project, options, std::move(findings));
  if (!kept.ok()) return kept.error();
  if (kept.value().baseline) {
    std::ostringstream text;
    write_baseline(*kept.value().baseline, text);
    if (const auto error = write_file(options.write_baseline, std::move(text).str())) {
      return Error{fmt::format("{}: {}", options.write_baseline, error->message)};
    }
  }
  KeptFindings result = std::move(kept).value();
  findings = std::move(result.findings);
  std::ranges::move(result.notes, std::back_inserter(notes));
  return std::nullopt;
}

int report(const Project& project, const std::vector<Diagnostic>& findings, const Options& options,
           const std::vector<Output>& outputs) {
  std::vector<std::string> errors = project.errors;
  Run run = make_run(project, findings, options);
  run.read.is_nothing = run.read.is_nothing && findings.empty() && errors.empty();
  if (run.read.is_nothing && options.require_input) errors.emplace_back(nothing_read);
  std::ranges::transform(errors, std::back_inserter(run.errors), as_run_error);
  const auto goes_to = [&](std::string_view name) {
    return std::ranges::any_of(outputs,
                               [&](const Output& output) { return output.backend->name == name; });
  };
  for (const std::string& error : errors) print_error(error);
  const std::size_t told = errors.size();
  PageAnswers answers;
  if (goes_to("html") || goes_to("markdown")) {
    answers =
        answer_for_page(project, options, goes_to("html") ? Telling::stories : Telling::placements);
    add_cluster(project, answers, run);
    if (goes_to("html")) run.provenance = provenance_of(project, options.words, run.read);
  }
  std::vector<std::string> unwritten = write_outputs(outputs, options, run);
  const bool may_print_nothing = options.command == Command::check && !options.quiet;
  if (unwritten.empty() && may_print_nothing) print_written(outputs);
  std::ranges::move(unwritten, std::back_inserter(errors));
  for (std::size_t i = told; i < errors.size(); ++i) print_error(errors[i]);
  const bool is_taken = std::ranges::any_of(outputs, &Output::on_standard_error);
  if (!options.quiet && !is_taken) print_reading(project, findings, run.read, options);
  if (!errors.empty()) return 2;
  return options.fail_on && reaches(findings, *options.fail_on) ? 1 : 0;
}

void print_notes(const std::vector<std::string>& lines, const Options& options) {
  if (options.quiet) return;
  for (const std::string& line : lines) print_error(line);
}

void print_task_hints(const Project& project, const Options& options) {
  print_notes(notes_on_tasks(project), options);
}

void print_account(const Project& project, const Options& options) {
  if (!options.verbose) return;
  for (const std::string& line : account_of(project, options)) print_error(line);
}

}  // namespace gpulint
