#include "compiler/driver/options.h"

#include <iostream>
#include <map>
#include <string_view>

#include <CLI/CLI.hpp>

#include "compiler/driver/version.h"

namespace gpulint {
namespace {

constexpr const char* description =
    "Static linter and compiler for GPU access configuration: Flyte Helm values, rendered\n"
    "manifests, and the nodes they must land on.";

void add_input_options(CLI::App& app, Options& options) {
  app.add_option("PATH", options.paths, "Files, folders (recursive) or - for standard input");
  app.add_option("--config", options.config, "Configuration file instead of gpulint.yaml")
      ->type_name("FILE");
  app.add_flag("--no-config", options.no_config, "Use no configuration file");
  app.add_option("--stdin-filename", options.stdin_filename, "Name for standard input")
      ->type_name("NAME");
  app.add_option("--nodes", options.nodes, "Files with Nodes to place against")->type_name("FILE");
  app.add_option("--values", options.values,
                 "Helm values of one release, in order; later layers win (repeatable)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--provider", options.provider, "Cloud provider: gke, eks, aks or generic")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Provider>{
          {"gke", Provider::gke}, {"eks", Provider::eks},
          {"aks", Provider::aks}, {"generic", Provider::generic}}))
      ->type_name("NAME");
  app.add_option("--flyte-version", options.flyte_version, "Flyte version: 1 or 2")
      ->transform(CLI::CheckedTransformer(std::map<std::string, FlyteVersion>{
          {"1", FlyteVersion::v1}, {"2", FlyteVersion::v2}}))
      ->type_name("1|2");
  app.add_option("--chart", options.chart, "Helm chart of the values: flyte-core or flyte-binary")
      ->transform(CLI::CheckedTransformer(std::map<std::string, FlyteChart>{
          {"flyte-core", FlyteChart::core}, {"flyte-binary", FlyteChart::binary}}))
      ->type_name("NAME");
  app.add_option("--tasks", options.tasks_file, "YAML or JSON file with tasks")->type_name("FILE");
  app.add_option("--task", options.tasks,
                 "A task, e.g. name=train,gpu=1,accelerator=A100.partition_2g_10gb (repeatable)")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  app.add_option("--jobs", options.jobs, "Number of threads; 0: one for each processor")
      ->type_name("N");
  app.add_flag("--force-exclude", options.force_exclude,
               "Apply `exclude` to files named on the command line, too");
  app.add_flag("--require-input", options.require_input,
               "Exit with 2 when no input holds anything gpulint reads");
}

void add_output_options(CLI::App& app, Options& options, std::vector<std::string>& formats) {
  app.add_option("--format", formats,
                 "Output format, FORMAT[:FILE] (repeatable): text, concise, json, sarif, github, "
                 "junit, gitlab, html")
      ->type_name("FORMAT")
      ->allow_extra_args(false);
  app.add_option("--output", options.output, "Write there instead of standard output")
      ->type_name("FILE");
  app.add_option("--color", options.color, "auto, always or never")
      ->transform(CLI::CheckedTransformer(std::map<std::string, When>{
          {"auto", When::automatic}, {"always", When::always}, {"never", When::never}}))
      ->type_name("WHEN");
  app.add_flag("-q,--quiet", options.quiet, "Print findings only");
}

void add_finding_options(CLI::App& app, Options& options, std::string& fail_on) {
  app.add_option("--select", options.select, "Only these rules or categories")
      ->delimiter(',')
      ->type_name("LIST")
      ->allow_extra_args(false);
  app.add_option("--ignore", options.ignore, "Not these rules or categories")
      ->delimiter(',')
      ->type_name("LIST")
      ->allow_extra_args(false);
  app.add_option("--fail-on", fail_on, "Lowest severity that gives exit status 1")
      ->check(CLI::IsMember({"error", "warning", "info", "never"}))
      ->type_name("SEVERITY");
  app.add_flag("--statistics", options.statistics, "Count findings by rule");
  app.add_option("--baseline", options.baseline, "Hide the findings that this file records")
      ->type_name("FILE");
  app.add_option("--write-baseline", options.write_baseline, "Record all findings in this file")
      ->type_name("FILE");
  app.add_option("--changed-since", options.changed_since,
                 "Only findings in files that differ from this git revision")
      ->type_name("REF");
}

void add_fix_options(CLI::App& app, Options& options) {
  app.add_flag("--unsafe-fixes", options.unsafe_fixes, "Apply fixes that change behaviour, too");
  app.add_flag("--diff", options.diff, "Print a unified diff and write nothing");
  app.add_flag("--ask", options.ask, "Show each fix and ask");
}

[[nodiscard]] FormatRequest parse_format(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

struct CommandLine {
  CLI::App app{description, "gpulint"};
  Options options;
  std::vector<std::string> formats;
  std::string fail_on = "warning";

  CommandLine() {
    app.set_version_flag("--version", std::string("gpulint ") + version);
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    add_linting();
    add_inspecting();
    add_reference();
  }

  CLI::App& command(const char* name, const char* help, Command value) {
    CLI::App& sub = *app.add_subcommand(name, help);
    sub.callback([this, value] { options.command = value; });
    return sub;
  }

  void add_linting() {
    for (const auto& [name, help, value] :
         {std::tuple{"check", "Report what is wrong", Command::check},
          std::tuple{"fix", "Correct what can be corrected, in place", Command::fix}}) {
      CLI::App& sub = command(name, help, value);
      add_input_options(sub, options);
      add_output_options(sub, options, formats);
      add_finding_options(sub, options, fail_on);
      if (value == Command::fix) {
        add_fix_options(sub, options);
      } else {
        sub.add_option("--add-suppressions", options.add_suppressions,
                       "Silence every finding by a comment that gives this reason")
            ->type_name("REASON");
      }
    }
  }

  void add_inspecting() {
    for (const auto& [name, help, value] :
         {std::tuple{"compile", "Print the pods that Flyte would create", Command::compile},
          std::tuple{"place", "Say which nodes admit which workloads, and why not", Command::place},
          std::tuple{"generate", "Write the smallest Flyte values under which every task schedules",
                     Command::generate},
          std::tuple{"nodes", "Print what is known of the nodes", Command::nodes},
          std::tuple{"init", "Write a gpulint.yaml from what the folder holds", Command::init}}) {
      CLI::App& sub = command(name, help, value);
      add_input_options(sub, options);
      add_output_options(sub, options, formats);
    }
  }

  void add_reference() {
    CLI::App& rule = command("rule", "Explain a rule", Command::rule);
    rule.add_option("ID", options.paths, "Rules to explain; none: list all");
    add_output_options(rule, options, formats);
    add_output_options(command("rules", "List all rules", Command::rules), options, formats);
    command("schema", "Print the JSON Schema of gpulint.yaml", Command::schema);
    command("completions", "Print a completion script for bash, zsh or fish", Command::completions)
        .add_option("SHELL", options.paths, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    CLI::App& debug = *app.add_subcommand("debug", "Show what gpulint reads");
    debug.require_subcommand(1);
    for (const auto& [name, help, value] :
         {std::tuple{"json", "The JSON that Kubernetes reads", Command::debug_json},
          std::tuple{"admit", "A pod's tolerations after admission", Command::debug_admit},
          std::tuple{"spans", "Every scalar with its byte span", Command::debug_spans}}) {
      CLI::App& sub = *debug.add_subcommand(name, help);
      sub.add_option("FILE", options.paths, "The file; - for standard input")->required();
      sub.callback([this, value = value] { options.command = value; });
    }
  }
};

}  // namespace

ParsedOptions parse_options(int argc, const char* const* argv) {
  CommandLine line;
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = line.app.exit(error, std::cout, std::cerr);
    return {std::nullopt, status == 0 ? 0 : 2};
  }
  Options options = std::move(line.options);
  for (const std::string& text : line.formats) options.formats.push_back(parse_format(text));
  options.fail_on = line.fail_on == "never" ? std::nullopt : parse_severity(line.fail_on);
  return {std::move(options), 0};
}

}  // namespace gpulint
