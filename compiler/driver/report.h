#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "compiler/base/diagnostic.h"
#include "compiler/driver/options.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/page_answers.h"
#include "compiler/pipeline.h"

namespace gpulint {

/// Why a name is not a rule, category or policy, with the nearest one. nullopt if it is one.
[[nodiscard]] std::optional<Error> refuse_rule_name(const std::string& name, const Config& config);

/// Why the project cannot be checked as requested: gpulint.yaml was rejected, `--select` or
/// `--ignore` name an unknown rule, or an output would overwrite an input. Project::errors also has
/// the problems of gpulint.yaml. A run must stop here, because half of a configuration gives wrong
/// results.
[[nodiscard]] std::optional<Error> refuse_project(const Project& project, const Options& options);

/// The end of a command that reports findings where refuse_project() has said why it cannot: prints
/// that, and writes the formats in which machines read of a failed run. Returns the exit status.
[[nodiscard]] int report_refusal(const Project& project, const Error& error, const Options& options,
                                 const std::vector<Output>& outputs);

/// Everything that backends receive, styled for the terminal and the options. The arguments must
/// outlive it.
[[nodiscard]] Run make_run(const Project& project, const std::vector<Diagnostic>& findings,
                           const Options& options);

/// Adds what the page shows next to findings: which workload runs on which nodes, why not on
/// others, and the compiled pods. The answers must outlive the run.
void add_cluster(const Project& project, const PageAnswers& answers, Run& run);

/// Keeps the findings that the options select (finding_filter.h), and writes a baseline if the
/// options name one. Appends notes for the user to `notes`.
[[nodiscard]] std::optional<Error> keep_asked(const Project& project, const Options& options,
                                              std::vector<Diagnostic>& findings,
                                              std::vector<std::string>& notes);

/// The end of every command that reports findings: prints errors of the run, the outputs, and what
/// was read. Returns the exit status: 0 no finding at or above `--fail-on`, 1 findings, 2 the run
/// itself failed.
[[nodiscard]] int report(const Project& project, const std::vector<Diagnostic>& findings,
                         const Options& options, const std::vector<Output>& outputs);

/// Every rule with its documentation, sorted by id.
[[nodiscard]] std::vector<RuleText> rule_texts();

/// Prints notes, unless the options set quiet.
void print_notes(const std::vector<std::string>& lines, const Options& options);

/// Prints notes on accelerators that tasks declare, unless the options set quiet.
void print_task_hints(const Project& project, const Options& options);

/// Prints where a run's findings come from, for `--verbose`.
void print_account(const Project& project, const Options& options);

}  // namespace gpulint
