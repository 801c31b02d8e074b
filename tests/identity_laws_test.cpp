// A file is the same file however it was reached, and every file is judged: checked on every case
// of every rule.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/driver/options.h"
#include "compiler/engine/registry.h"
#include "compiler/pipeline.h"
#include "compiler/project/project.h"
#include "tests/harness/case_runner.h"

namespace {

namespace fs = std::filesystem;
using namespace gpulint;
using gpulint::test::RuleCase;

[[nodiscard]] fs::path folder_of(const RuleCase& rule_case) {
  const fs::path input = rule_case.input;
  return fs::is_directory(input) ? input : input.parent_path();
}

/// Runs something with another current folder.
[[nodiscard]] std::vector<std::string> in_folder(
    const fs::path& folder, const std::function<std::vector<std::string>()>& work) {
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  std::vector<std::string> result = work();
  fs::current_path(before);
  return result;
}

/// The same inputs under names that begin with `prefix`.
[[nodiscard]] Options renamed(Options options, const std::string& prefix) {
  for (auto* names : {&options.paths, &options.nodes, &options.values}) {
    for (std::string& name : *names) name.insert(0, prefix);
  }
  for (std::string* name : {&options.tasks_file, &options.config}) {
    if (!name->empty()) name->insert(0, prefix);
  }
  return options;
}

[[nodiscard]] std::string without(std::string text, std::string_view prefix) {
  for (std::size_t at = 0; !prefix.empty() && (at = text.find(prefix, at)) != std::string::npos;) {
    text.erase(at, prefix.size());
  }
  return text;
}

/// Every finding, and every error of the run, with names as if they did not begin with `prefix`.
[[nodiscard]] std::vector<std::string> tell(const Options& options, const std::string& prefix,
                                            const Overlay& overlay = {}) {
  const auto project = load_project(options, overlay);
  std::vector<std::string> told = project->errors;
  for (const Diagnostic& finding : check_project(*project, options)) {
    const SourceFile& file = project->sources.file(finding.span);
    const Position at = file.position(finding.span.begin);
    told.push_back(fmt::format("{}:{}:{}: {} {}; {}; {}", file.path(), at.line, at.column,
                               finding.rule->id, finding.message, finding.help,
                               finding.fix ? finding.fix->title : "-"));
  }
  for (std::string& each : told) each = without(std::move(each), prefix);
  std::ranges::sort(told);
  return told;
}

}  // namespace

TEST_CASE("findings are the same from the folder, from outside, by absolute names and by detours") {
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    CAPTURE(rule_case.input);
    const fs::path folder = folder_of(rule_case);
    const Options options = gpulint::test::options_of(rule_case);
    const auto expected = in_folder(folder, [&] { return tell(options, ""); });
    const auto from = [&](const fs::path& where, const std::string& prefix) {
      const std::string shown = prefix.empty() ? "" : fs::path(prefix).lexically_normal().string();
      return in_folder(where, [&] { return tell(renamed(options, prefix), shown); });
    };
    CHECK(from(folder.parent_path(), folder.filename().string() + "/") == expected);
    CHECK(from(fs::temp_directory_path(), folder.string() + "/") == expected);
    CHECK(from(GPULINT_SOURCE_DIR "/tests",
               (fs::path("..") / fs::relative(folder, GPULINT_SOURCE_DIR)).string() + "/") ==
          expected);
    CHECK(in_folder(folder, [&] { return tell(renamed(options, "./"), "./"); }) == expected);
  }
}

TEST_CASE("standard input under a file's name is the file") {
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    if (fs::is_directory(rule_case.input)) continue;
    CAPTURE(rule_case.input);
    Options options = gpulint::test::options_of(rule_case);
    const auto by_name = in_folder(folder_of(rule_case), [&] { return tell(options, ""); });
    options.stdin_filename = options.paths.front();
    options.paths = {"-"};
    const Overlay overlay{{"-", gpulint::test::read_file(rule_case.input)}};
    CHECK(in_folder(folder_of(rule_case), [&] { return tell(options, "", overlay); }) == by_name);
  }
}

TEST_CASE("every file in which something is read belongs to a scope, however it was found") {
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    CAPTURE(rule_case.input);
    for (const bool walked : {false, true}) {
      Options options = gpulint::test::options_of(rule_case);
      if (walked) options.paths = {"."};
      const auto lost = in_folder(folder_of(rule_case), [&] {
        const auto project = load_project(options);
        std::set<FileId> judged;
        for (const Scope& scope : project->scopes) {
          judged.insert(scope.files.begin(), scope.files.end());
        }
        std::vector<std::string> names;
        for (const FileId file : project->inputs) {
          if (project->context_only.contains(file)) continue;  // only compared with
          if (project->documents[file].empty() || judged.contains(file)) continue;
          names.push_back(project->sources.file(file).path());
        }
        return names;
      });
      CHECK(lost == std::vector<std::string>{});
      if (!fs::is_directory(rule_case.input)) break;  // its folder is that of all cases
    }
  }
}

TEST_CASE("a selection leaves findings out and adds none") {
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    CAPTURE(rule_case.input);
    Options options = gpulint::test::options_of(rule_case);
    const auto all = in_folder(folder_of(rule_case), [&] { return tell(options, ""); });
    const std::string category(find_rule(rule_case.rule)->rule->info.category);
    for (const std::string& name : {rule_case.rule, category}) {
      options.select = {name};
      const auto some = in_folder(folder_of(rule_case), [&] { return tell(options, ""); });
      CHECK(std::ranges::includes(all, some));
    }
  }
}
