#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "backends/rule_docs.h"
#include "compiler/driver/report.h"
#include "compiler/engine/registry.h"
#include "compiler/engine/rule_policy.h"
#include "tests/harness/case_runner.h"

namespace {

namespace fs = std::filesystem;
using gpulint::RegisteredRule;
using gpulint::test::RuleCase;

/// The first fenced block below `## heading`: its text, the words after the language, and what a
/// file of that is called.
struct Example {
  std::string text;
  std::string arguments;
  std::string file = "example.yaml";
};

[[nodiscard]] std::optional<Example> find_example(std::string_view document,
                                                  std::string_view heading) {
  const std::size_t section = document.find("\n## " + std::string(heading) + "\n");
  if (section == std::string_view::npos) return std::nullopt;
  const std::size_t fence = document.find("\n```", section);
  const std::size_t next = document.find("\n## ", section + 1);
  if (fence == std::string_view::npos || fence > next) return std::nullopt;
  const std::size_t line_end = document.find('\n', fence + 1);
  const std::size_t close = document.find("\n```", line_end);
  const std::string info(document.substr(fence + 4, line_end - fence - 4));
  const std::size_t blank = info.find(' ');
  return Example{std::string(document.substr(line_end + 1, close - line_end)),
                 blank == std::string::npos ? "" : info.substr(blank + 1),
                 info.starts_with("python") ? "example.py" : "example.yaml"};
}

/// What is said of an example that is named, or found by a walk through its folder.
[[nodiscard]] std::string check_example(const Example& example, bool is_walked = false) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("gpulint-rule-docs-{}", getpid());
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::ofstream(folder / example.file, std::ios::binary) << example.text;
  std::vector<std::string> arguments = {"--no-config", "--preview"};
  std::istringstream words(example.arguments);
  for (std::string word; words >> word;) arguments.push_back(word);
  arguments.insert(arguments.end(), {"--", is_walked ? "." : example.file});
  return gpulint::test::check_files(folder, arguments);
}

/// The ids in brackets of `error[id]:`, `warning[id]:` and `info[id]:` at line starts.
[[nodiscard]] std::set<std::string> reported_rules(const std::string& output) {
  std::set<std::string> ids;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    for (const std::string_view severity : {"error[", "warning[", "info["}) {
      if (!line.starts_with(severity)) continue;
      ids.insert(line.substr(severity.size(), line.find(']') - severity.size()));
    }
  }
  return ids;
}

}  // namespace

TEST_CASE("every rule case prints what its .expect file says") {
  for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
    CAPTURE(rule_case.input);
    const std::string actual = gpulint::test::run_rule_case(rule_case);
    if (rule_case.promises_silence()) {
      CHECK(actual == "");
      continue;
    }
    CHECK_FALSE(actual.empty());
    CHECK(gpulint::test::compare_golden(rule_case.expected, actual) == "");
  }
}

TEST_CASE("every rule has finding cases and silent ones") {
  CHECK(gpulint::all_rules().size() > 100);
  for (const RegisteredRule& rule : gpulint::all_rules()) {
    const std::string id(rule.rule->info.id);
    if (rule.rule->check == nullptr && id != "policy") continue;  // found by the engine itself
    CAPTURE(id);
    std::size_t finding = 0;
    std::size_t silent = 0;
    for (const RuleCase& rule_case : gpulint::test::find_rule_cases()) {
      if (rule_case.rule != id) continue;
      ++(rule_case.promises_silence() ? silent : finding);
    }
    CHECK(finding >= 3);
    CHECK(silent >= 2);
  }
}

TEST_CASE("rule ids are unique, in order, spelt as folders are") {
  const auto rules = gpulint::all_rules();
  for (const RegisteredRule& rule : rules) {
    const std::string id(rule.rule->info.id);
    CAPTURE(id);
    CHECK(fs::exists(GPULINT_SOURCE_DIR "/rules/" + id + "/rule.cpp"));
    CHECK(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos);
    CHECK_FALSE(rule.rule->info.category.empty());
  }
  CHECK(std::ranges::is_sorted(rules, {}, [](const RegisteredRule& r) { return r.rule->info.id; }));
}

TEST_CASE("rule.md opens with the summary and has the fixed headings") {
  for (const RegisteredRule& rule : gpulint::all_rules()) {
    CAPTURE(std::string(rule.rule->info.id));
    const std::string_view text = rule.documentation;
    CHECK(text.substr(0, text.find('\n')) == rule.rule->info.summary);
    for (const std::string_view heading :
         {"Why it matters", "What is checked, and what is not", "References"}) {
      CHECK(text.find("\n## " + std::string(heading) + "\n") != std::string_view::npos);
    }
    const bool fixable = rule.rule->info.fix != gpulint::FixAvailability::none;
    CHECK((text.find("\n## Fix safety\n") != std::string_view::npos) == fixable);
  }
}

TEST_CASE("every rule has an admission policy or says why it has none") {
  for (const RegisteredRule& rule : gpulint::all_rules()) {
    CAPTURE(std::string(rule.rule->info.id));
    const gpulint::RulePolicy policy = gpulint::read_rule_policy(rule.policy);
    CHECK(policy.problem == "");
    CHECK((policy.none.empty() || policy.none.ends_with('.')));
    CHECK((policy.partly.empty() || policy.partly.ends_with('.')));
  }
}

TEST_CASE("rules that one object, with the nodes beside it, can show have an admission policy") {
  // By what a policy needs: the object alone; the nodes; Nodes themselves. A rule that a policy
  // cannot tell any more gives a reason and leaves this list.
  constexpr auto told = std::to_array<std::string_view>(
      {"contradictory-node-affinity", "gpu-quota-key", "multiple-mig-in-container",
       "partition-on-whole-gpu", "unknown-mig-profile", "misplaced-resources",
       "privileged-gpu-container", "gpu-visible-devices-bypass", "alpha-gpu-api",
       "host-driver-libraries", "legacy-node-label", "deprecated-dra-api", "deprecated-ray-api",
       "dra-claim", "ray-cpu-image", "ray-gpu-count", "ray-param-type", "gpu-count-in-command",
       "invalid-gpu-share", "daemonset-misses-gpu-nodes", "no-node-fits",
       "relies-on-extended-resource-toleration", "request-exceeds-node", "resource-not-offered",
       "toleration-value-mismatch", "toleration-without-attraction", "unmatched-node-selector",
       "untolerated-taint", "mig-profile-not-on-device", "mig-strategy-mismatch",
       "missing-runtime-class", "shared-gpu-count", "unknown-gpu-resource",
       "gpu-image-without-request", "unguarded-gpu-nodes", "undefined-mig-config",
       // The API server refuses these itself, but not in custom resources.
       "invalid-node-selector-requirement", "invalid-toleration", "invalid-partition-label-value",
       "fractional-gpu", "gpu-limit-missing"});
  std::set<std::string_view> written;
  for (const RegisteredRule& rule : gpulint::all_rules()) {
    if (gpulint::read_rule_policy(rule.policy).is_written()) written.insert(rule.rule->info.id);
  }
  for (const std::string_view id : told) {
    CAPTURE(std::string(id));
    CHECK(written.contains(id));
  }
}

TEST_CASE(
    "the bad example of each rule.md yields that rule and nothing else, the good one nothing") {
  for (const RegisteredRule& rule : gpulint::all_rules()) {
    if (rule.rule->check == nullptr) continue;
    const std::string id(rule.rule->info.id);
    CAPTURE(id);
    const auto bad = find_example(rule.documentation, "Bad");
    const auto good = find_example(rule.documentation, "Good");
    REQUIRE(bad);
    REQUIRE(good);
    const std::string output = check_example(*bad);
    CAPTURE(output);
    CHECK(reported_rules(output) == std::set<std::string>{id});
    CHECK(check_example(*good) == "");
    CHECK(check_example(*bad, true) == output);
  }
}

TEST_CASE("docs/reference/rules is what the rules say") {
  // Stale? `GPULINT_UPDATE=1 ctest --preset dev -R docs/reference/rules` writes the pages.
  const fs::path folder = GPULINT_SOURCE_DIR "/docs/reference";
  const std::vector<gpulint::RuleText> rules = gpulint::rule_texts();
  std::ostringstream index;
  gpulint::write_rule_index(rules, index);
  CHECK(gpulint::test::compare_golden((folder / "rules.md").string(), index.str()) == "");
  std::set<std::string> pages;
  for (const gpulint::RuleText& rule : rules) {
    std::ostringstream text;
    gpulint::write_rule_page(rule, text);
    const std::string name = fmt::format("{}.md", rule.info->id);
    CHECK(gpulint::test::compare_golden((folder / "rules" / name).string(), text.str()) == "");
    pages.insert(name);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "rules")) {
    CAPTURE(entry.path());
    CHECK(pages.contains(entry.path().filename().string()));  // else the rule is gone
  }
}
