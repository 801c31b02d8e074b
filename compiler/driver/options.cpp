#include "compiler/driver/options.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backends/backend.h"
#include "backends/unicode.h"
#include "compiler/driver/command_line.h"
#include "compiler/driver/commands.h"
#include "compiler/flyte/task.h"

namespace gpulint {
namespace {

constexpr const char* description =
    "Static linter and compiler for GPU access configuration: Flyte Helm values, rendered\n"
    "manifests, and the nodes they must land on.";

/// `a|b|c` as its words; none where there is no choice.
[[nodiscard]] std::vector<std::string> split_choices(const std::string& text) {
  std::vector<std::string> words;
  if (text.find('|') == std::string::npos) return words;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find('|', begin);
    words.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return words;
}

[[nodiscard]] std::string refusal(const std::string& word, const std::string& words) {
  return fmt::format("takes {}, not `{}`", words, word);
}

/// A check of a positional argument that takes some words, `a|b`.
[[nodiscard]] std::function<std::string(const std::string&)> one_of(const std::string& words) {
  return [words](const std::string& word) {
    const std::vector<std::string> choices = split_choices(words);
    return std::ranges::find(choices, word) != choices.end() ? "" : refusal(word, words);
  };
}

template <class T>
using Choices = std::initializer_list<std::pair<const char*, T>>;

/// An option that takes one of some words; help and completions show them as its value's name.
template <class T>
void add_choice(CLI::App& app, const char* name, T& target, const char* help, Choices<T> choices) {
  std::string words;
  for (const auto& choice : choices) words.append(words.empty() ? "" : "|").append(choice.first);
  const std::map<std::string, T> values(choices.begin(), choices.end());
  app.add_option_function<std::string>(
         name, [&target, values](const std::string& word) { target = values.at(word); }, help)
      ->check([values, words](const std::string& word) {
        return values.contains(word) ? "" : refusal(word, words);
      })
      ->type_name(words);
}

/// Where to begin, and with which gpulint.yaml.
void add_path_options(CLI::App& app, Options& options) {
  app.add_option("PATH", options.paths, "Files, folders (recursive) or - for standard input")
      ->type_name("");
  app.add_option("--config", options.config, "Configuration file instead of gpulint.yaml")
      ->type_name("FILE");
  app.add_flag("--no-config", options.no_config, "Use no configuration file");
}

void add_input_options(CLI::App& app, Options& options) {
  add_path_options(app, options);
  app.add_option("--stdin-filename", options.stdin_filename, "Name for standard input")
      ->type_name("NAME");
  // One file each: further ones behind it are inputs, and nodes among those count just the same.
  app.add_option("--nodes", options.nodes, "File with Nodes to place against (repeatable)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--values", options.values,
                 "Helm values of one release, in order; later layers win (repeatable)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_choice<Provider>(app, "--provider", options.provider, "Cloud provider",
                       {{"gke", Provider::gke},
                        {"eks", Provider::eks},
                        {"aks", Provider::aks},
                        {"generic", Provider::generic}});
  add_choice<FlyteVersion>(app, "--flyte-version", options.flyte_version, "Flyte version",
                           {{"1", FlyteVersion::v1}, {"2", FlyteVersion::v2}});
  add_choice<FlyteChart>(app, "--chart", options.chart,
                         "Helm chart of the values, where their content does not tell",
                         {{"flyte-core", FlyteChart::core}, {"flyte-binary", FlyteChart::binary}});
  app.add_option("--tasks", options.tasks_file, "YAML or JSON file with tasks")->type_name("FILE");
  app.add_option("--task", options.tasks,
                 "A task, e.g. name=train,gpu=1,accelerator=A100.partition_2g_10gb (repeatable)")
      ->check([](const std::string& text) { return flyte::find_task_spec_problem(text); })
      ->type_name("SPEC")
      ->allow_extra_args(false);
  app.add_option("-j,--jobs", options.jobs, "Number of threads; 0: one for each processor")
      ->type_name("N");
  app.add_flag("--force-exclude", options.force_exclude,
               "Apply `exclude` to files named on the command line, too");
  app.add_flag("--allow-outside", options.allow_outside,
               "Follow gpulint.yaml and links out of the repository");
  app.add_flag("--all-objects", options.all_objects,
               "Tell what is deprecated in objects without GPUs, too");
  app.add_flag("--no-join", options.no_join,
               "Judge each file of a folder alone, unless gpulint.yaml joins it with others");
  app.add_flag(
      "--in-tree", options.in_tree,
      "Judge named files as a check of the current folder would, and report on them alone");
  app.add_flag("--require-input", options.require_input,
               "Exit with 2 when no input holds anything gpulint reads");
  app.add_flag("--show-files", options.show_files, "Print the files that would be read, no more");
  app.add_flag("-v,--verbose", options.verbose,
               "Tell which files and configuration are read, what is left out, and times");
}

void add_output_options(CLI::App& app, Options& options, Command command,
                        std::vector<std::string>& formats) {
  if (const std::vector<std::string> names = formats_of(command); !names.empty()) {
    app.add_option("-f,--format", formats, "Output format, or FORMAT:FILE (repeatable)")
        ->type_name(fmt::format("{}", fmt::join(names, "|")))
        ->allow_extra_args(false);
  }
  app.add_option("-o,--output", options.output, "Write there; - is standard output")
      ->type_name("FILE");
  add_choice<When>(app, "--color", options.color, "Colours: where a terminal takes them, or not",
                   {{"auto", When::automatic}, {"always", When::always}, {"never", When::never}});
  app.add_flag("-q,--quiet", options.quiet, "Print findings only");
}

void add_selection_options(CLI::App& app, Options& options) {
  app.add_option("--select", options.select, "Only these rules or categories")
      ->delimiter(',')
      ->type_name("LIST")
      ->allow_extra_args(false);
  app.add_option("--ignore", options.ignore, "Not these rules or categories")
      ->delimiter(',')
      ->type_name("LIST")
      ->allow_extra_args(false);
}

void add_finding_options(CLI::App& app, Options& options) {
  add_selection_options(app, options);
  add_choice<std::optional<Severity>>(app, "--fail-on", options.fail_on,
                                      "Lowest severity that gives exit status 1",
                                      {{"error", Severity::error},
                                       {"warning", Severity::warning},
                                       {"info", Severity::info},
                                       {"never", std::nullopt}});
  app.add_flag("--statistics", options.statistics, "Count findings by rule");
  app.add_option("--baseline", options.baseline, "Hide the findings that this file records")
      ->type_name("FILE");
  app.add_option("--write-baseline", options.write_baseline, "Record all findings in this file")
      ->type_name("FILE");
  app.add_option("--changed-since", options.changed_since,
                 "Only findings in files that differ from this git revision")
      ->type_name("REF");
}

void add_policy_options(CLI::App& app, Options& options) {
  add_selection_options(app, options);
  app.add_option_function<std::string>(
         "--deny", [&options](const std::string&) { options.deny_facts = true; },
         "Deny what rests on the known nodes, too, rather than warn")
      ->check([](const std::string& word) { return word == "facts" ? "" : refusal(word, "facts"); })
      ->type_name("facts");
  add_choice<policy::FactsFrom>(
      app, "--facts", options.facts_from,
      "Write what is known of nodes into the policies, or into a custom resource that they take",
      {{"literals", policy::FactsFrom::literals}, {"crd", policy::FactsFrom::object}});
  app.add_option("--check", options.checked_policy,
                 "Write nothing; say whether this file is what would be written")
      ->type_name("FILE");
}

void add_fix_options(CLI::App& app, Options& options) {
  app.add_flag("--unsafe-fixes", options.unsafe_fixes, "Apply fixes that change behaviour, too");
  app.add_flag("--diff", options.diff, "Print a unified diff and write nothing");
  app.add_flag("--ask", options.ask, "Show each fix and ask");
}

struct CommandLine {
  CLI::App app{description, "gpulint"};
  Options options;
  std::vector<std::string> formats;
  std::optional<std::vector<std::string>> words;

  /// Commands that are none of the words, if these are given, are known by name alone: their
  /// options take longer to make than a small file to check.
  explicit CommandLine(std::optional<std::vector<std::string>> given) : words(std::move(given)) {
    app.set_version_flag("--version", version_text());
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

  [[nodiscard]] bool may_be_given(const char* name) const {
    return !words || std::ranges::find(*words, name) != words->end();
  }

  void add_linting() {
    for (const auto& [name, help, value] :
         {std::tuple{"check", "Report what is wrong", Command::check},
          std::tuple{"filter", "Pass standard input on unless something in it is wrong",
                     Command::filter},
          std::tuple{"fix", "Correct what can be corrected, in place", Command::fix}}) {
      CLI::App& sub = command(name, help, value);
      if (!may_be_given(name)) continue;
      add_input_options(sub, options);
      add_output_options(sub, options, value, formats);
      add_finding_options(sub, options);
      if (value == Command::fix) {
        add_fix_options(sub, options);
      } else if (value == Command::check) {
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
          std::tuple{"why", "Say why workloads fit no node, and what would change that",
                     Command::why},
          std::tuple{"generate", "Write the smallest Flyte values under which every task schedules",
                     Command::generate},
          std::tuple{"nodes", "Print what is known of the nodes", Command::nodes},
          std::tuple{"policy", "Write the rules as admission policies for the API server",
                     Command::policy},
          std::tuple{"init", "Write a gpulint.yaml from what the folder holds", Command::init}}) {
      CLI::App& sub = command(name, help, value);
      if (!may_be_given(name)) continue;
      add_input_options(sub, options);
      add_output_options(sub, options, value, formats);
      if (value == Command::why) {
        sub.add_option("--workload", options.workload,
                       "Tell of this one: KIND/NAMESPACE/NAME, as `place` calls it, or a last part")
            ->type_name("NAME");
        sub.add_option("--event", options.event,
                       "What the scheduler, an autoscaler or `kubectl describe` says of a pod that "
                       "waits; a file with it; - for standard input")
            ->check([](const std::string& text) { return text.empty() ? "is empty" : ""; })
            ->type_name("TEXT");
        sub.add_flag("--fix", options.apply, "Write the changes that make workloads fit");
      }
      if (value == Command::policy) add_policy_options(sub, options);
      if (value == Command::generate) {
        sub.add_flag("--bare", options.bare, "Write Flyte's own configuration, no chart's values");
      }
      if (value == Command::init) {
        sub.add_flag("--force", options.force, "Overwrite a gpulint.yaml that is there");
      }
    }
  }

  void add_reference() {
    for (const auto& [name, help] : {std::pair{"rule", "Explain a rule"},
                                     std::pair{"explain", "Explain a rule (the same as rule)"}}) {
      CLI::App& rule = command(name, help, Command::rule);
      rule.add_option("ID", options.paths, "Rules to explain; none: list all")->type_name("");
      add_output_options(rule, options, Command::rule, formats);
    }
    CLI::App& self_check =
        command("self-check", "Say what is compiled in, and which configuration is in force",
                Command::self_check);
    add_path_options(self_check, options);
    add_output_options(self_check, options, Command::self_check, formats);
    CLI::App& rules = command("rules", "List all rules", Command::rules);
    add_output_options(rules, options, Command::rules, formats);
    command("schema", "Print a JSON Schema", Command::schema)
        .add_option("NAME", options.paths,
                    "Of gpulint.yaml (config, the default) or of the GPU part of Flyte's values")
        ->check(one_of("config|flyte-values"))
        ->type_name("config|flyte-values")
        ->expected(0, 1);
    command("completions", "Print a shell's completion script", Command::completions)
        .add_option("SHELL", options.paths, "The shell")
        ->required()
        ->check(one_of("bash|zsh|fish"))
        ->type_name("bash|zsh|fish")
        ->allow_extra_args(false);
    CLI::App& debug = *app.add_subcommand("debug", "Show what gpulint reads");
    debug.require_subcommand(1);
    for (const auto& [name, help, value] :
         {std::tuple{"json", "The JSON that Kubernetes reads", Command::debug_json},
          std::tuple{"admit", "A pod's tolerations after admission", Command::debug_admit},
          std::tuple{"spans", "Every scalar with its byte span", Command::debug_spans}}) {
      CLI::App& sub = *debug.add_subcommand(name, help);
      sub.add_option("FILE", options.paths, "The file; - for standard input")
          ->required()
          ->type_name("");
      sub.callback([this, value = value] { options.command = value; });
    }
    add_help();
  }

  /// For lists of commands: put_flags() has what they do.
  void add_help() {
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(sub->get_name());
    }
    CLI::App& help = *app.add_subcommand("help", "Print help for a command");
    help.add_option("COMMAND", options.paths, "The command")
        ->type_name(fmt::format("{}", fmt::join(names, "|")));
    app.add_subcommand("version", "Print the version");
  }
};

[[nodiscard]] OptionDescription describe(const CLI::Option& option) {
  OptionDescription described;
  described.help = option.get_description();
  if (!option.get_lnames().empty()) described.flag = "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) described.short_flag = "-" + option.get_snames().front();
  if (option.get_items_expected_max() > 0) {
    described.value = option.get_positional() ? option.get_name(true) : option.get_type_name();
    described.choices = split_choices(option.get_type_name());
  }
  return described;
}

[[nodiscard]] CommandDescription describe(const CLI::App& app, const std::string& prefix) {
  CommandDescription described{prefix + app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    OptionDescription one = describe(*option);
    if (option->get_positional()) {
      described.argument = std::move(one);
    } else {
      described.options.push_back(std::move(one));
    }
  }
  return described;
}

void describe_below(const CLI::App& app, const std::string& prefix,
                    std::vector<CommandDescription>& commands) {
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(describe(*sub, prefix));
    describe_below(*sub, prefix + sub->get_name() + " ", commands);
  }
}

[[nodiscard]] FormatRequest parse_format(const std::string& text, const std::string& output) {
  const std::size_t colon = text.find(':');
  const bool has_file = colon != std::string::npos;
  std::string file = has_file ? text.substr(colon + 1) : output;
  if (file == "-") file.clear();
  return {text.substr(0, colon), std::move(file)};
}

[[nodiscard]] Purpose purpose_of(Command command) {
  switch (command) {
    case Command::check:
    case Command::filter:
    case Command::fix:
      return Purpose::check;
    case Command::place:
    case Command::why:
      return Purpose::place;
    case Command::generate:
    case Command::policy:
      return Purpose::generate;
    default:
      return Purpose::show;
  }
}

/// Fills in what the request has from the options about output.
void complete_request(Options& options) {
  options.purpose = purpose_of(options.command);
  if (!options.output.empty()) options.outputs.push_back(options.output);
  for (const FormatRequest& format : options.formats) {
    if (!format.file.empty()) options.outputs.push_back(format.file);
    if (format.name == "html" || format.name == "markdown") options.shows_every_node = true;
  }
  if (!options.write_baseline.empty()) options.outputs.push_back(options.write_baseline);
}

/// Settles what follows from options that were given: the formats with their files, what `--output`
/// still means beside them, and what the request has to know of both.
void complete_options(Options& options, const std::vector<std::string>& formats) {
  for (const std::string& text : formats) {
    options.formats.push_back(parse_format(text, options.output));
  }
  if (!options.formats.empty() || (options.output == "-" && options.command != Command::init)) {
    options.output.clear();
  }
  complete_request(options);
}

/// `why --task embed` names a task that is there; other commands know no such word.
void name_tasks(std::vector<std::string>& words) {
  if (words.empty() || words.front() != "why") return;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool is_joined = words[i].starts_with("--task=");
    if (!is_joined && (words[i] != "--task" || i + 1 == words.size())) continue;
    std::string& spec = is_joined ? words[i] : words[i + 1];
    const std::string name = is_joined ? spec.substr(std::string_view("--task=").size()) : spec;
    const bool is_name = !name.empty() && std::ranges::all_of(name, [](char c) {
      return is_alphanumeric(c) || std::string_view("-_.").find(c) != std::string_view::npos;
    });
    if (!is_name || flyte::find_task_spec_problem(name).empty()) continue;
    words[i] = is_joined ? "--workload=task " + name : "--workload";
    if (!is_joined) spec = "task " + name;
  }
}

/// `-o json` and `-o yaml` of people who know kubectl would write a file of that name.
[[nodiscard]] std::optional<std::string> refuse_output(const Options& options) {
  const std::string& output = options.output;
  const std::vector<std::string> names = formats_of(options.command);
  const bool is_format = std::ranges::find(names, output) != names.end();
  const bool is_kubectl = output == "json" || output == "yaml" || output == "wide";
  std::error_code error;
  if (names.empty() || !(is_format || is_kubectl) || std::filesystem::exists(output, error))
    return std::nullopt;
  if (!is_format) {
    return fmt::format(
        "`--output {}` would write a file of that name; the formats of `--format` are {}", output,
        fmt::join(names, ", "));
  }
  return fmt::format("`--output {0}` would write a file called `{0}`; did you mean `--format {0}`?",
                     output);
}

/// `help check` as `check --help`, `version` as `--version`.
void put_flags(std::vector<std::string>& words) {
  if (words.empty()) return;
  if (words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  } else if (words.size() == 1 && words.front() == "version") {
    words.front() = "--version";
  }
}

[[nodiscard]] ParsedOptions refuse(const std::string& text) {
  std::cerr << "gpulint: " << printable(text) << '\n';
  return {std::nullopt, 2};
}

/// What was not understood of a command line that was refused, if that is the reason.
[[nodiscard]] std::optional<std::string> explain(const CLI::App& app) {
  std::string command;
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    command += (command.empty() ? "" : " ") + at->get_name();
  }
  return explain_words(app.get_name(), describe_command_line(), command, app.remaining(true));
}

}  // namespace

std::vector<std::string> formats_of(Command command) {
  switch (command) {
    case Command::check:
    case Command::filter:
    case Command::fix: {
      std::vector<std::string> names;
      for (const Backend& backend : all_backends()) names.emplace_back(backend.name);
      return names;
    }
    case Command::compile:
      return {"yaml", "json"};
    case Command::policy:
      return {"vap", "gatekeeper", "map"};
    case Command::rule:
    case Command::rules:
      return {"text", "json", "markdown"};
    case Command::place:
    case Command::why:
    case Command::nodes:
    case Command::self_check:
      return {"text", "json"};
    default:
      return {};
  }
}

ParsedOptions parse_options(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const std::string_view program = argc > 0 ? argv[0] : "";
  const std::vector<std::string> meant = words_of_name(program);
  words.insert(words.begin(), meant.begin(), meant.end());
  if (!words.empty() && words.front() == completion_command) {
    words.erase(words.begin());
    return {std::nullopt, run_complete_words(words)};
  }
  const bool asks_for_help = !words.empty() && words.front() == "help";
  put_flags(words);
  if (asks_for_help && words.size() > 1) {
    const std::vector<std::string> names(words.begin(), words.end() - 1);
    if (const auto text = refuse_command(name_as_typed(program), describe_command_line(), names)) {
      return refuse(*text);
    }
  }
  name_tasks(words);
  CommandLine line(words);
  line.app.name(name_as_typed(program));
  std::ranges::reverse(words);  // as CLI11 takes them
  try {
    line.app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      const auto text = explain(line.app);
      return refuse(text ? *text : error.what());
    }
    return {std::nullopt, line.app.exit(error, std::cout, std::cerr)};
  }
  Options options = std::move(line.options);
  options.words.assign(argv + std::min(argc, 1), argv + argc);
  complete_options(options, line.formats);
  if (const auto text = refuse_output(options)) return refuse(*text);
  return {std::move(options), 0};
}

std::vector<CommandDescription> describe_command_line() {
  const CommandLine line(std::nullopt);
  std::vector<CommandDescription> commands = {describe(line.app, "")};
  commands.front().name.clear();
  describe_below(line.app, "", commands);
  return commands;
}

}  // namespace gpulint
