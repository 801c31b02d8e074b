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

/// Why a name stands for no rule, category or policy, with the nearest one. Nothing where it does.
[[nodiscard]] std::optional<Error> refuse_rule_name(const std::string& name, const Config& config);

/// Why the project cannot be judged as the user means it: gpulint.yaml was refused, or `--select`
/// or `--ignore` name a rule that does not exist, or an output would go over an input. What was
/// refused in gpulint.yaml is in Project::errors too; a run must end here rather than report by
/// half of a configuration.
[[nodiscard]] std::optional<Error> refuse_project(const Project& project, const Options& options);

/// The end of a command that reports findings where refuse_project() has said why it cannot: prints
/// that, and writes the formats in which machines read of a failed run. Returns the exit status.
[[nodiscard]] int report_refusal(const Project& project, const Error& error, const Options& options,
                                 const std::vector<Output>& outputs);

/// All that backends get; style as the terminal and the options say. The arguments must outlive it.
[[nodiscard]] Run make_run(const Project& project, const std::vector<Diagnostic>& findings,
                           const Options& options);

/// Adds what the page shows beside findings: which workload runs where and why not, and the
/// compiled pods. The answers must outlive the run.
void add_cluster(const Project& project, const PageAnswers& answers, Run& run);

/// Reduces findings to those that are asked for (finding_filter.h), and writes a baseline where the
/// options ask for one. Appends what the user may want to know to `notes`.
[[nodiscard]] std::optional<Error> keep_asked(const Project& project, const Options& options,
                                              std::vector<Diagnostic>& findings,
                                              std::vector<std::string>& notes);

/// The end of every command that reports findings: prints errors of the run, the outputs, and what
/// was read, or that nothing was. Returns the exit status (design: 0 nothing at or above
/// `--fail-on`, 1 findings, 2 the run itself failed).
[[nodiscard]] int report(const Project& project, const std::vector<Diagnostic>& findings,
                         const Options& options, const std::vector<Output>& outputs);

/// Every rule with its documentation, sorted by id.
[[nodiscard]] std::vector<RuleText> rule_texts();

/// Prints lines that people may do without, unless the options ask for quiet.
void print_notes(const std::vector<std::string>& lines, const Options& options);

/// Prints what is told of accelerators that tasks declare, unless the options ask for quiet.
void print_task_hints(const Project& project, const Options& options);

/// What `--verbose` tells of where a run's findings come from; nothing without it.
void print_account(const Project& project, const Options& options);

}  // namespace gpulint
