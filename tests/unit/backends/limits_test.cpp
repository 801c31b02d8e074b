#include <map>
#include <set>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/unit/backends/example_run.h"

using gpulint::RuleInfo;
using gpulint::Run;
using gpulint::Severity;
using gpulint::Span;
using gpulint::test::Example;

namespace {

constexpr RuleInfo rules[] = {
    {.id = "an-info", .category = "c", .summary = "s", .severity = Severity::info},
    {.id = "a-warning", .category = "c", .summary = "s", .severity = Severity::warning},
    {.id = "an-error", .category = "c", .summary = "s", .severity = Severity::error}};

/// So many findings of each severity, infos first in the file.
Example example_with(std::uint32_t infos, std::uint32_t warnings, std::uint32_t errors) {
  Example example;
  const std::uint32_t total = infos + warnings + errors;
  const gpulint::FileId file = example.add("values.yaml", std::string(total, '\n'));
  for (std::uint32_t i = 0; i < total; ++i) {
    const std::size_t kind = i < infos ? 0 : i < infos + warnings ? 1 : 2;
    example.report(rules[kind], Span{file, i, i}, "m");
  }
  return example;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

}  // namespace

TEST_CASE("github shows errors first, ten of each level, and says how many are left") {
  Example example = example_with(3, 12, 30);
  const std::string output = gpulint::test::emit("github", example.run());
  CHECK(count(output, "\n::notice ") == 3);
  CHECK(count(output, "\n::warning ") == 10);
  CHECK(output.starts_with("::error "));
  CHECK(count(output, "::error ") == 10);
  CHECK(output.find("gpulint: 20 more errors, 2 more warnings not shown as annotations") !=
        std::string::npos);
}

TEST_CASE("a SARIF log holds 25,000 results: errors stay, and the log says what it left out") {
  Example example = example_with(10'000, 14'000, 12'000);
  const auto log = nlohmann::json::parse(gpulint::test::emit("sarif", example.run()));
  const auto& run = log.at("runs").at(0);
  std::map<std::string, std::size_t> levels;
  for (const auto& result : run.at("results")) ++levels[result.at("level")];
  CHECK(levels == std::map<std::string, std::size_t>{{"error", 12'000}, {"warning", 13'000}});
  CHECK(run.at("/invocations/0/toolExecutionNotifications/0/message/text"_json_pointer)
            .get<std::string>()
            .starts_with("11000 findings"));
}

TEST_CASE(
    "a SARIF log describes the rules that found something, and each result points at its own") {
  Example example = gpulint::test::ordinary_example();
  example.rules.insert(example.rules.begin(),
                       {&rules[2], "Documentation of a rule without findings.\n"});
  Run run = example.run();
  run.rules.push_back({&rules[0], "Of another one.\n"});
  const auto log = nlohmann::json::parse(gpulint::test::emit("sarif", run)).at("runs").at(0);
  const auto& described = log.at("/tool/driver/rules"_json_pointer);
  std::set<std::string> found;
  for (const auto& result : log.at("results")) {
    CHECK(described.at(result.at("ruleIndex").get<std::size_t>()).at("id") == result.at("ruleId"));
    found.insert(result.at("ruleId"));
  }
  CHECK(described.size() == found.size());
}

TEST_CASE("SARIF links to a rule's page where gpulint has a home, else names the command") {
  Example example = gpulint::test::ordinary_example();
  Run run = example.run();
  const auto rule_of = [](const Run& of) {
    return nlohmann::json::parse(gpulint::test::emit("sarif", of))
        .at("/runs/0/tool/driver/rules/0"_json_pointer);
  };
  const std::string page =
      "https://example.com/gpulint/blob/main/docs/reference/rules/fractional-gpu.md";
  CHECK(rule_of(run).at("helpUri") == page);
  CHECK(rule_of(run)
            .at("/help/markdown"_json_pointer)
            .get<std::string>()
            .ends_with("See " + page + "."));
  run.homepage.clear();
  CHECK(!rule_of(run).contains("helpUri"));
  CHECK(rule_of(run)
            .at("/help/text"_json_pointer)
            .get<std::string>()
            .ends_with("`gpulint rule fractional-gpu` prints this."));
}

TEST_CASE("a SARIF log of standard input carries its text") {
  Example example;
  const gpulint::FileId file = example.add("<stdin>", "a: 1\n");
  example.report(rules[2], Span{file, 0, 1}, "m");
  const auto log = nlohmann::json::parse(gpulint::test::emit("sarif", example.run()));
  CHECK(log.at("/runs/0/artifacts"_json_pointer) ==
        nlohmann::json::parse(R"([{"location": {"uri": "%3Cstdin%3E"},
                                   "contents": {"text": "a: 1\n"}}])"));
}

TEST_CASE("the page and the job summary say how many findings they leave out") {
  Example example = example_with(0, 0, 5'100);
  const gpulint::Run run = example.run();
  const std::string page = gpulint::test::emit("html", run);
  CHECK(count(page, "<details class=\"finding") == 5'000);
  CHECK(page.find("100 more findings not shown here") != std::string::npos);
  const std::string summary = gpulint::test::emit("markdown", run);
  CHECK(count(summary, "\n| 🔴 error |") == 500);
  CHECK(summary.find("4600 more findings") != std::string::npos);
  CHECK(summary.size() < 1024UL * 1024);
}
