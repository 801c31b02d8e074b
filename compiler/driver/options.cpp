#include "compiler/driver/options.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <variant>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backends/backend.h"
#include "backends/unicode.h"
#include "compiler/base/text.h"
#include "compiler/driver/command_line.h"
#include "compiler/driver/help_formatter.h"
#include "compiler/driver/version_text.h"
#include "compiler/flyte/task.h"
#include "compiler/pipeline.h"

namespace gpulint {
namespace {

constexpr const char* description =
    "Linter and compiler for GPU configuration on Kubernetes and Flyte. Reads Helm "
    "values,\nmanifests, Flyte tasks and nodes, and reports why GPU pods stay Pending.";

[[nodiscard]] std::string refusal(const std::string& word, const std::string& words) {
  return fmt::format("must be {}, not `{}`", words, word);
}

/// A check that a value is one of some words, `a|b`.
[[nodiscard]] std::function<std::string(const std::string&)> one_of(const std::string& words) {
  return [words](const std::string& word) {
    return is_listed(split(words, '|'), word) ? "" : refusal(word, words);
  };
}

// Sets of commands, for the rows below.
using Commands = std::uint32_t;
template <class... Names>
constexpr Commands commands(Names... names) {
  return ((Commands{1} << static_cast<unsigned>(names)) | ...);
}
constexpr Commands finding = commands(Command::check, Command::filter, Command::fix);
constexpr Commands reading =
    finding | commands(Command::compile, Command::place, Command::why, Command::generate,
                       Command::nodes, Command::policy, Command::init);
constexpr Commands rendering = commands(Command::check, Command::fix, Command::place, Command::why);
constexpr Commands starting = reading | commands(Command::self_check);
constexpr Commands writing = starting | commands(Command::rule, Command::rules);

/// Applies the word with this index among those that the option accepts.
using Choose = void (*)(Options& options, std::size_t word);

/// Sets a member to the value with this index.
template <auto Member, auto... Values>
void choose(Options& options, std::size_t word) {
  constexpr std::array values{Values...};
  options.*Member = values[word];
}

/// An option of some commands. Rows are in the order of `--help`.
struct Row {
  Commands commands;
  const char* names;
  const char* value;  ///< Name of its value, or the words it accepts; null for a switch.
  std::variant<bool Options::*, unsigned Options::*, std::string Options::*,
               std::vector<std::string> Options::*, Choose>
      target;
  const char* help;
  std::string (*problem)(const std::string& value) = nullptr;  ///< Why a value is rejected.
};

/// Rows after it are in the group of this name.
constexpr Row group(const char* name) {
  return {0, name, nullptr, static_cast<bool Options::*>(nullptr), nullptr};
}

const Row rows[] = {
    group("Inputs"),
    {starting, "PATH", "", &Options::paths,
     "Files, folders (read recursively), or - for standard input"},
    {starting, "--config", "FILE", &Options::config,
     "Configuration file to use instead of gpulint.yaml"},
    {starting, "--no-config", nullptr, &Options::no_config, "Use no configuration file"},
    {reading, "--stdin-filename", "NAME", &Options::stdin_filename, "Name for standard input"},
    {reading, "--nodes", "FILE", &Options::nodes, "File with Nodes to compare with (repeatable)"},
    {reading, "--values", "FILE", &Options::values,
     "Helm values files of one release, in order; later files win (repeatable)"},
    {reading, "--provider", "gke|eks|aks|generic",
     choose<&Options::provider, Provider::gke, Provider::eks, Provider::aks, Provider::generic>,
     "Cloud provider"},
    {reading, "--flyte-version", "1|2",
     choose<&Options::flyte_version, FlyteVersion::v1, FlyteVersion::v2>, "Flyte version"},
    {reading, "--chart", "flyte-core|flyte-binary",
     choose<&Options::chart, FlyteChart::core, FlyteChart::binary>,
     "Helm chart of the values, if their content does not show it"},
    {reading, "--tasks", "FILE", &Options::tasks_file, "YAML or JSON file with tasks"},
    {reading, "--task", "SPEC", &Options::tasks,
     "A task, e.g. name=train,gpu=1,accelerator=A100 (repeatable)",
     [](const std::string& text) { return flyte::find_task_spec_problem(text); }},
    group("Rendering"),
    {rendering, "--render{any}", "any|own|helm", &Options::render,
     "Render Helm charts and kustomizations with gpulint-render, or with helm and kustomize of "
     "PATH"},
    {rendering, "--kube-version", "VERSION", &Options::kube_version,
     "Kubernetes version that charts are rendered for"},
    {rendering, "--namespace", "NAME", &Options::chart_namespace,
     "Namespace that charts are rendered for"},
    {rendering, "--release", "NAME", &Options::release, "Release name of rendered charts"},
    group("Reading"),
    {reading, "-j,--jobs", "N", &Options::jobs, "Number of threads; 0: one for each processor"},
    {reading, "--force-exclude", nullptr, &Options::force_exclude,
     "Also apply `exclude` to files named on the command line"},
    {reading, "--allow-outside", nullptr, &Options::allow_outside,
     "Let gpulint.yaml and links lead out of the repository"},
    {reading, "--all-objects", nullptr, &Options::all_objects,
     "Also report what is deprecated in objects without GPUs"},
    {reading, "--no-join", nullptr, &Options::no_join,
     "Check every file on its own unless gpulint.yaml groups files"},
    {reading, "--in-tree", nullptr, &Options::in_tree,
     "Check the named files in the context of the current folder, and report only on them"},
    {reading, "--require-input", nullptr, &Options::require_input,
     "Exit with status 2 if no input contains anything that gpulint reads"},
    {reading, "--show-files", nullptr, &Options::show_files,
     "List the files that would be read, and exit"},
    group("Output"),
    {reading, "-v,--verbose", nullptr, &Options::verbose,
     "Report files and configuration used, files skipped, and timings"},
    {writing, "-f,--format", nullptr, &Options::format_texts,
     "Output format, or FORMAT:FILE (repeatable)"},
    {writing, "-o,--output", "FILE", &Options::output, "Write to this file; - is standard output"},
    {writing, "--color", "auto|always|never",
     choose<&Options::color, When::automatic, When::always, When::never>, "When to use colours"},
    {writing, "-q,--quiet", nullptr, &Options::quiet, "Print findings only"},
    group("Findings"),
    {finding | commands(Command::policy), "--select", "LIST", &Options::select,
     "Only these rules or categories"},
    {finding | commands(Command::policy), "--ignore", "LIST", &Options::ignore,
     "All but these rules or categories"},
    {finding | commands(Command::policy), "--preview", nullptr, &Options::preview,
     "Also run the rules in preview"},
    {finding, "--fail-on", "error|warning|info|never",
     [](Options& options, std::size_t word) {
       constexpr std::optional<Severity> words[] = {Severity::error, Severity::warning,
                                                    Severity::info, std::nullopt};
       options.fail_on = words[word];
     },
     "Lowest severity that gives exit status 1"},
    {finding, "--statistics", nullptr, &Options::statistics, "Count findings by rule"},
    {finding, "--baseline", "FILE", &Options::baseline, "Hide the findings that this file records"},
    {finding, "--write-baseline", "FILE", &Options::write_baseline,
     "Record all findings in this file"},
    {finding, "--changed-since", "REF", &Options::changed_since,
     "Only findings in files that differ from this git revision"},
    {commands(Command::check), "--watch", nullptr, &Options::watch,
     "Check again whenever a file changes"},
    {commands(Command::check), "--add-suppressions", "REASON", &Options::add_suppressions,
     "Suppress every finding with a comment that gives this reason"},
    group("Options"),
    {commands(Command::policy), "--deny", "facts", choose<&Options::deny_facts, true>,
     "Also deny what depends on cluster facts, instead of warning"},
    {commands(Command::policy), "--facts", "literals|crd",
     choose<&Options::facts_from, policy::FactsFrom::literals, policy::FactsFrom::object>,
     "Write cluster facts into the policies, or into a custom resource that they read"},
    {commands(Command::policy), "--check", "FILE", &Options::checked_policy,
     "Write nothing; report whether this file is up to date"},
    {commands(Command::fix), "--unsafe-fixes", nullptr, &Options::unsafe_fixes,
     "Also apply fixes that change behaviour"},
    {commands(Command::fix), "--diff", nullptr, &Options::diff,
     "Print a unified diff and write nothing"},
    {commands(Command::fix), "--ask", nullptr, &Options::ask,
     "Show each fix and ask whether to apply it"},
    {commands(Command::why), "--workload", "NAME", &Options::workload,
     "Only this workload: KIND/NAMESPACE/NAME as printed by `place`, or its last part"},
    {commands(Command::why), "--event", "TEXT", &Options::event,
     "An event of the scheduler or an autoscaler, or what `kubectl describe` prints, about a "
     "Pending pod: the text, a file with it, or - for standard input",
     [](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); }},
    {commands(Command::why), "--fix", nullptr, &Options::apply,
     "Write the changes that make workloads fit"},
    {commands(Command::generate), "--bare", nullptr, &Options::bare,
     "Write Flyte's own configuration instead of Helm values"},
    {commands(Command::init), "--force", nullptr, &Options::force,
     "Overwrite an existing gpulint.yaml"},
};

/// Options for files take one each: further words after it are inputs, and nodes among them count
/// just the same.
CLI::Option* add_row(CLI::App& app, Options& options, const Row& row, const std::string& value) {
  return std::visit(
      [&]<class Target>(Target target) -> CLI::Option* {
        if constexpr (std::is_same_v<Target, bool Options::*>) {
          return app.add_flag(row.names, options.*target, row.help);
        } else if constexpr (std::is_same_v<Target, Choose>) {
          const auto choose = [&options, target, value](const std::string& word) {
            const std::vector<std::string_view> words = split(value, '|');
            target(options,
                   static_cast<std::size_t>(std::ranges::find(words, word) - words.begin()));
          };
          return app.add_option_function<std::string>(row.names, choose, row.help)
              ->check(one_of(value))
              ->type_name(value);
        } else {
          if constexpr (std::is_same_v<Target, std::string Options::*>) {
            // a switch that accepts a word after `=`
            if (std::string_view(row.names).find('{') != std::string_view::npos) {
              return app.add_flag(row.names, options.*target, row.help)->check(one_of(value));
            }
          }
          CLI::Option* const option =
              app.add_option(row.names, options.*target, row.help)->type_name(value);
          if constexpr (std::is_same_v<Target, std::vector<std::string> Options::*>) {
            if (*row.names == '-') option->allow_extra_args(false);
            if (value == "LIST") option->delimiter(',');
          }
          return option;
        }
      },
      row.target);
}

void add_options(CLI::App& app, Options& options, Command command) {
  const char* group = nullptr;
  for (const Row& row : rows) {
    if (row.commands == 0) group = row.names;
    if ((row.commands & commands(command)) == 0) continue;
    const bool is_format = std::string_view(row.names) == "-f,--format";
    const std::vector<std::string> formats =
        is_format ? formats_of(command) : std::vector<std::string>{};
    if (is_format && formats.empty()) continue;
    CLI::Option* const option =
        add_row(app, options, row,
                is_format ? fmt::format("{}", fmt::join(formats, "|"))
                          : std::string(row.value == nullptr ? "" : row.value));
    option->group(group);
    if (row.problem != nullptr) option->check(row.problem);
  }
}

struct CommandLine {
  CLI::App app{description, "gpulint"};
  Options options;
  std::optional<std::vector<std::string>> words;

  /// `given`: the words typed, if any. Commands that are not among them get no options, because
  /// making all options takes longer than checking a small file.
  explicit CommandLine(std::optional<std::vector<std::string>> given) : words(std::move(given)) {
    app.set_version_flag("-V,--version", version_text());
    app.require_subcommand(1);
    app.formatter(make_help_formatter());
    add_reading();
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

  void add_reading() {
    struct Entry {
      const char* name;
      Command value;
      const char* help;
      const char* examples;
    };
    for (const auto& [name, value, help, examples] :
         {Entry{"check", Command::check, "Report problems in GPU configuration",
                "gpulint check .\n  gpulint check values.yaml --nodes nodes.yaml"},
          Entry{"filter", Command::filter,
                "Copy standard input to standard output if it has no findings",
                "helm template charts/infer | gpulint filter --nodes nodes.yaml"},
          Entry{"fix", Command::fix, "Apply fixes to files in place",
                "gpulint fix --diff values.yaml nodes.yaml\n  gpulint fix --unsafe-fixes ."},
          Entry{"compile", Command::compile, "Print the pods that Flyte would create",
                "gpulint compile values.yaml --task name=train,gpu=1"},
          Entry{"place", Command::place,
                "Show which nodes each workload fits, and why not the others",
                "gpulint place pod.yaml nodes.yaml"},
          Entry{"why", Command::why, "Explain why workloads fit no node, and what to change",
                "gpulint why .\n  gpulint why --event event.txt pod.yaml nodes.yaml"},
          Entry{"generate", Command::generate,
                "Write the smallest Flyte values with which every task can be scheduled",
                "gpulint generate tasks.py nodes.yaml"},
          Entry{"nodes", Command::nodes, "Print the known nodes: labels, taints and resources",
                "gpulint nodes nodes.yaml"},
          Entry{"policy", Command::policy,
                "Write the rules as admission policies for the API server",
                "gpulint policy nodes.yaml | kubectl apply -f -"},
          Entry{"init", Command::init, "Write a gpulint.yaml for the files of a folder",
                "gpulint init ."}}) {
      CLI::App& sub = command(name, help, value);
      sub.footer(std::string("Examples:\n  ") + examples);
      if (may_be_given(name)) add_options(sub, options, value);
    }
  }

  void add_reference() {
    for (const auto& [name, help] : {std::pair{"rule", "Explain a rule"},
                                     std::pair{"explain", "Explain a rule (the same as rule)"}}) {
      CLI::App& rule = command(name, help, Command::rule);
      rule.add_option("ID", options.paths, "Rules to explain (default: list all rules)")
          ->type_name("");
      add_options(rule, options, Command::rule);
    }
    CLI::App& self_check =
        command("self-check", "Print build information and the effective configuration",
                Command::self_check);
    add_options(self_check, options, Command::self_check);
    command("server", "Answer an editor (Language Server Protocol on standard input and output)",
            Command::server)
        .add_flag("--stdio")
        ->description("Accepted because some editors pass it");
    CLI::App& rules = command("rules", "List rules", Command::rules);
    rules.add_option("CATEGORY", options.paths, "Only rules of these categories")->type_name("");
    add_options(rules, options, Command::rules);
    command("schema", "Print a JSON Schema", Command::schema)
        .add_option("NAME", options.paths,
                    "config: gpulint.yaml (default); flyte-values: the GPU part of Flyte's values")
        ->check(one_of("config|flyte-values"))
        ->type_name("config|flyte-values")
        ->expected(0, 1);
    command("completions", "Print a shell's completion script", Command::completions)
        .add_option("SHELL", options.paths, "The shell")
        ->required()
        ->check(one_of("bash|zsh|fish"))
        ->type_name("bash|zsh|fish")
        ->allow_extra_args(false);
    CLI::App& debug = *app.add_subcommand("debug", "Show how gpulint reads a file");
    debug.require_subcommand(1);
    for (const auto& [name, help, value] :
         {std::tuple{"json", "Print a file as JSON, as Kubernetes reads it", Command::debug_json},
          std::tuple{"admit", "Print a pod's tolerations after admission", Command::debug_admit},
          std::tuple{"spans", "Print every scalar with its byte span", Command::debug_spans}}) {
      CLI::App& sub = *debug.add_subcommand(name, help);
      sub.add_option("FILE", options.paths, "The file; - for standard input")
          ->required()
          ->type_name("");
      sub.callback([this, value = value] { options.command = value; });
    }
    add_help();
  }

  /// For lists of commands only: put_flags() implements it.
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
    const std::string words = option.get_type_name();
    for (const std::string_view word : split(words, '|')) described.choices.emplace_back(word);
    if (described.choices.size() == 1) described.choices.clear();  // the name of a value
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

/// Sets what the request needs from the options about output.
void complete_request(Options& options) {
  options.purpose = purpose_of(options.command);
  if (!options.output.empty()) options.outputs.push_back(options.output);
  for (const FormatRequest& format : options.formats) {
    if (!format.file.empty()) options.outputs.push_back(format.file);
    if (format.name == "html" || format.name == "markdown") options.shows_every_node = true;
  }
  if (!options.write_baseline.empty()) options.outputs.push_back(options.write_baseline);
}

/// Derives from the options as given: the formats with their files, whether `--output` still
/// applies, and what the request needs of both.
void complete_options(Options& options) {
  for (const std::string& text : options.format_texts) {
    options.formats.push_back(parse_format(text, options.output));
  }
  if (!options.formats.empty() || (options.output == "-" && options.command != Command::init)) {
    options.output.clear();
  }
  complete_request(options);
}

/// `why --task embed` names an existing task; other commands have no such form.
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

/// `-o json` and `-o yaml`, which kubectl users type, would write a file with that name.
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
    Options options;
    options.command = Command::complete_words;
    options.paths.assign(words.begin() + 1, words.end());
    return {std::move(options), 0};
  }
  const bool is_bare = words.empty();
  if (is_bare) words.emplace_back("--help");
  const bool asks_for_help = words.front() == "help";
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
    const int status = line.app.exit(error, std::cout, std::cerr);
    return {std::nullopt, is_bare ? 2 : status};
  }
  Options options = std::move(line.options);
  options.words.assign(argv + std::min(argc, 1), argv + argc);
  complete_options(options);
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
