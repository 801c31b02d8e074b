#include "tests/harness/case_runner.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "backends/backend.h"
#include "backends/text.h"
#include "backends/unified_diff.h"
#include "compiler/driver/options.h"
#include "compiler/edit/fixer.h"
#include "compiler/pipeline.h"
#include "compiler/project/project.h"

namespace gpulint::test {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] std::vector<std::string> input_files(const RuleCase& rule_case) {
  if (!fs::is_directory(rule_case.input)) return {fs::path(rule_case.input).filename()};
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(rule_case.input)) {
    const std::string name = entry.path().filename();
    if (entry.is_regular_file() && name != "args" && name != "expect" &&
        !name.starts_with("gpulint.")) {
      files.push_back(fs::relative(entry.path(), rule_case.input));
    }
  }
  std::ranges::sort(files);
  return files;
}

[[nodiscard]] std::string render(const Project& project, const std::vector<Diagnostic>& findings) {
  const Run run{.sources = project.sources,
                .diagnostics = findings,
                .rules = {},
                .summary = {},
                .version = {},
                .root = {},
                .presentation = {.summary = false},
                .placements = {},
                .pods = {}};
  std::ostringstream out;
  for (const Diagnostic& finding : findings) write_finding(run, finding, out);  // each by itself
  for (const auto& [file, edits] : plan_fixes(findings, Safety::unsafe).edits) {
    const SourceFile& source = project.sources.file(file);
    out << unified_diff(source.path(), source.text(), apply_edits(source.text(), edits));
  }
  return out.str();
}

}  // namespace

bool RuleCase::holds_python() const {
  return std::ranges::any_of(input_files(*this),
                             [](const std::string& file) { return file.ends_with(".py"); });
}

std::vector<std::string> case_arguments(const RuleCase& rule_case) {
  std::vector<std::string> words;
  const bool is_folder = fs::is_directory(rule_case.input);
  if (!is_folder || !fs::exists(rule_case.input + "/gpulint.yaml"))
    words.emplace_back("--no-config");
  words.emplace_back("--preview");
  if (!rule_case.promises_silence()) {
    words.emplace_back("--select");
    words.push_back(rule_case.rule);
  }
  if (is_folder) {
    std::istringstream args(read_file(rule_case.input + "/args"));
    words.insert(words.end(), std::istream_iterator<std::string>(args), {});
  }
  words.emplace_back("--");
  std::ranges::copy(input_files(rule_case), std::back_inserter(words));
  return words;
}

Options parse_arguments(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"gpulint", "check"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  const ParsedOptions parsed = parse_options(static_cast<int>(argv.size()), argv.data());
  return parsed.options.value_or(Options{});
}

std::vector<RuleCase> find_rule_cases() {
  std::vector<RuleCase> cases;
  for (const auto& rule : fs::directory_iterator(GPULINT_SOURCE_DIR "/rules")) {
    if (!fs::is_directory(rule.path() / "cases")) continue;
    for (const auto& entry : fs::directory_iterator(rule.path() / "cases")) {
      if (entry.path().extension() == ".expect") continue;
      RuleCase found{rule.path().filename(), entry.path().filename(), entry.path(), {}};
      found.expected = entry.is_directory()
                           ? (entry.path() / "expect").string()
                           : fs::path(entry.path()).replace_extension("expect").string();
      cases.push_back(std::move(found));
    }
  }
  std::ranges::sort(cases, {}, &RuleCase::input);
  return cases;
}

Options options_of(const RuleCase& rule_case) {
  std::vector<std::string> words = case_arguments(rule_case);
  if (const auto at = std::ranges::find(words, "--select"); at != words.end()) {
    words.erase(at, at + 2);
  }
  return parse_arguments(words);
}

std::string run_rule_case(const RuleCase& rule_case) {
  const bool is_folder = fs::is_directory(rule_case.input);
  const fs::path folder =
      is_folder ? fs::path(rule_case.input) : fs::path(rule_case.input).parent_path();
  return check_files(folder, case_arguments(rule_case));
}

std::string check_files(const std::string& folder, const std::vector<std::string>& arguments) {
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  const Options options = parse_arguments(arguments);
  const auto project = load_project(options);
  std::string output;
  for (const std::string& error : project->errors) output += fmt::format("error: {}\n", error);
  output += render(*project, check_project(*project, options));
  fs::current_path(before);
  return output;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string compare_golden(const std::string& path, const std::string& actual) {
  if (std::getenv("GPULINT_UPDATE") != nullptr) {
    std::ofstream(path, std::ios::binary) << actual;
    return {};
  }
  if (!fs::exists(path)) return path + " is missing; run with GPULINT_UPDATE=1 and read it";
  return unified_diff(path, read_file(path), actual);
}

}  // namespace gpulint::test
