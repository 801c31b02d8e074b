#include "compiler/driver/report.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "backends/compiled_pods.h"
#include "backends/placement_output.h"
#include "backends/unicode.h"
#include "compiler/base/text.h"
#include "compiler/analysis/inputs_read.h"
#include "compiler/driver/overwriting.h"
#include "compiler/driver/placements.h"
#include "compiler/driver/terminal.h"
#include "compiler/driver/version.h"
#include "compiler/driver/what_was_read.h"
#include "compiler/engine/registry.h"
#include "compiler/engine/selection.h"

namespace gpulint {
namespace {

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

[[nodiscard]] bool is_refused(const ConfigReading& reading) {
  return std::ranges::any_of(reading.problems, [](const ConfigProblem& problem) {
    return problem.kind == ConfigProblem::Kind::refused;
  });
}

[[nodiscard]] bool reaches(const std::vector<Diagnostic>& findings, Severity threshold) {
  return std::ranges::any_of(findings,
                             [&](const Diagnostic& d) { return d.severity >= threshold; });
}

}  // namespace

void print_error(std::string_view message) {
  fmt::print(stderr, "gpulint: {}\n", printable(message));
}

int refuse(const Error& error) {
  print_error(error.message);
  return 2;
}

std::optional<Error> refuse_rule_name(const std::string& name, const Config& config) {
  const bool is_rule = std::ranges::any_of(
      all_rules(), [&](const RegisteredRule& rule) { return names_rule(name, rule.rule->info); });
  const bool is_policy = std::ranges::any_of(
      config.policies, [&](const Policy& policy) { return names_rule(name, policy.info); });
  if (is_rule || is_policy) return std::nullopt;
  std::vector<std::string_view> names;
  for (const RegisteredRule& rule : all_rules()) {
    names.insert(names.end(), {rule.rule->info.id, rule.rule->info.category});
  }
  for (const Policy& policy : config.policies) names.emplace_back(policy.id);
  const auto suggestion = nearest(name, names);
  return Error{fmt::format(
      "unknown rule `{}`; {}", name,
      suggestion ? fmt::format("did you mean `{}`?", *suggestion) : "`gpulint rules` lists them")};
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
  return refuse_targets(project, options);
}

void print_unmerged(const Project& project) {
  constexpr std::size_t most_lines = 5;
  std::set<std::string> told;
  for (const Scope& scope : project.scopes) {
    for (const kustomize::Unmerged& each : scope.corpus.unmerged) {
      if (!told.insert(each.folder).second || told.size() > most_lines) continue;
      const SourceFile& file = project.sources.file(each.place.span());
      print_error(fmt::format(
          "{}:{}: patch not merged: {}; check what is built: kubectl kustomize {} | gpulint check "
          "- nodes.yaml",
          file.path(), file.position(each.place.span().begin).line, each.reason, each.folder));
    }
  }
  if (told.size() <= most_lines) return;
  print_error(fmt::format("patches not merged in {} more folders", told.size() - most_lines));
}

std::vector<RuleText> rule_texts() {
  std::vector<RuleText> texts;
  for (const RegisteredRule& rule : all_rules()) {
    texts.push_back({&rule.rule->info, rule.documentation});
  }
  return texts;
}

Run make_run(const Project& project, const std::vector<Diagnostic>& findings,
             const Options& options) {
  std::error_code error;
  return {.sources = project.sources,
          .diagnostics = findings,
          .rules = rule_texts(),
          .summary = summarize(findings, project.inputs.size() - project.bystanders.size(),
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
          .pods = {},
          .read = summarize_reading(project)};
}

void add_cluster(const Project& project, Run& run) {
  const Placements placed = place_workloads(project);
  for (const PlacementReport& report : placed.reports) {
    if (report.placement.classes().empty() || report.names.empty()) continue;
    run.placements.push_back(placement_matrix(report));
  }
  for (const Scope& scope : project.scopes) {
    for (const flyte::Installation& installation : scope.flyte.installations) {
      std::ranges::transform(installation.pods, std::back_inserter(run.pods), report_pod);
    }
  }
  std::ranges::transform(placed.refused, std::back_inserter(run.pods), report_pod);
}

int report(const Project& project, const std::vector<Diagnostic>& findings, const Options& options,
           const std::vector<Output>& outputs) {
  std::vector<std::string> errors = project.errors;
  Run run = make_run(project, findings, options);
  const auto is_page = [](const Output& output) { return output.backend->name == "html"; };
  if (std::ranges::any_of(outputs, is_page)) add_cluster(project, run);
  std::ranges::move(write_outputs(outputs, options, run), std::back_inserter(errors));
  for (const std::string& error : errors) print_error(error);
  const bool empty = findings.empty() && errors.empty() && !reads_anything(project);
  if (empty && (options.require_input || !options.quiet)) {
    print_error("no input holds anything gpulint reads");
  }
  if (!options.quiet) {
    for (const UnreadFile& file : run.read.not_read) {
      if (!empty || !file.why.empty()) print_error(describe(file));
    }
  }
  if (!errors.empty() || (empty && options.require_input)) return 2;
  return options.fail_on && reaches(findings, *options.fail_on) ? 1 : 0;
}

}  // namespace gpulint
