#include <algorithm>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>

#include "backends/html/links.h"
#include "backends/html/source_view.h"
#include "backends/html/template.h"
#include "backends/placement_output.h"
#include "compiler/why/story.h"
#include "tests/unit/backends/example_run.h"

using gpulint::colored_html;
using gpulint::Fix;
using gpulint::PlacementMatrix;
using gpulint::Run;
using gpulint::Safety;
using gpulint::Verdict;
using gpulint::test::emit;
using gpulint::test::Example;

namespace {

/// The page's headline where so many workloads can, may and cannot be placed.
std::string headline(std::size_t fitting, std::size_t open, std::size_t refused) {
  Example example = gpulint::test::clean_example();
  example.placements.emplace_back().tally = {
      .all = fitting + open + refused, .fitting = fitting, .open = open};
  const std::string page = emit("html", example.run());
  const std::size_t begin = page.find("<h1>") + 4;
  return page.substr(begin, page.find("</h1>") - begin);
}

}  // namespace

TEST_CASE("the page begins with the verdict on the workloads") {
  CHECK(headline(1, 0, 2) == "2 of 3 workloads cannot be placed");
  CHECK(headline(0, 0, 3) == "None of 3 workloads can be placed");
  CHECK(headline(0, 0, 1) == "The workload cannot be placed");
  CHECK(headline(2, 1, 0) == "1 of 3 workloads may fit");
  CHECK(headline(0, 2, 0) == "All 2 workloads may fit");
  CHECK(headline(0, 1, 0) == "The workload may fit");
  CHECK(headline(3, 0, 0) == "All 3 workloads can be placed");
  CHECK(headline(1, 0, 0) == "The workload can be placed");
}

TEST_CASE("no line of a page is a command to the runner of a pipeline") {
  static constexpr gpulint::RuleInfo policy{
      .id = "policy", .category = "policy", .summary = "##[x"};
  Example example = gpulint::test::hostile_example();
  const auto file = example.add("a.yaml",
                                "::error::first\n  ::stop-commands::x\nkey: 1\n"
                                "##vso[task.complete]\n##[error]last\nend: '::' ##[group]\n");
  example.report(policy, example.find(file, "key"), "::error::message").fix =
      Fix{Safety::safe, "##vso[title]", {{example.find(file, "1"), "2\n::debug::x"}}};
  std::istringstream lines(emit("html", example.run()));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    CAPTURE(line);
    CHECK(line.compare(std::min(first, line.size()), 2, "::") != 0);
    CHECK(line.find("##vso[") == std::string::npos);
    CHECK(line.find("##[") == std::string::npos);
  }
}

TEST_CASE(
    "a template shows the values of the innermost object, escaped, and each section as often as it "
    "has values") {
  const nlohmann::ordered_json values = {{"name", "<a>"},
                                         {"none", ""},
                                         {"zero", 0},
                                         {"list", {"x", "`y`"}},
                                         {"object", {{"inner", true}}}};
  const auto filled = [&](std::string_view text) {
    std::ostringstream out;
    gpulint::fill_template(text, values, out);
    return out.str();
  };
  CHECK(filled("{{name}} {{name|raw}} {{zero}}{{gone}}") == "&lt;a&gt; <a> 0");
  CHECK(filled("{{#list}}{{,}}{{.|prose}}{{/list}}") == "x,<code>y</code>");
  CHECK(filled("{{#object}}{{name}}{{inner}}{{/object}} {{object/inner}}") == "true true");
  CHECK(filled("{{?none}}a{{/none}}{{^zero}}b{{/zero}}{{?list}}{{name|raw}}{{/list}}{{^list}}c{{/"
               "list}}") == "b<a>");
  CHECK(filled("1\n{{?gone}}\n{{#list}}\n2\n{{/list}}\n{{/gone}}\n{{?name}}\n3\n{{/name}}\n") ==
        "1\n3\n");
}

TEST_CASE("without placements the findings are the verdict") {
  Example clean = gpulint::test::clean_example();
  CHECK(emit("html", clean.run()).find("<h1>No problems found in 1 file</h1>") !=
        std::string::npos);
  Example ordinary = gpulint::test::ordinary_example();
  CHECK(emit("html", ordinary.run()).find("<h1>3 errors, 1 warning, 1 info in 3 files</h1>") !=
        std::string::npos);
}

TEST_CASE("a page says what it was made of, and in what the run failed") {
  Example example = gpulint::test::clean_example();
  Run run = example.run();
  run.provenance = {.command = "gpulint check <a>",
                    .configuration = "gpulint.yaml",
                    .revision = "0123abc",
                    .date = "1970-01-01 00:00 UTC",
                    .read = "1 node"};
  run.errors = {{"gone.yaml", "cannot be read"}};
  run.unplaced = 2;
  const std::string page = emit("html", run);
  for (const std::string_view text :
       {"<dd><code>gpulint check &lt;a&gt;</code></dd>", "<dd><code>gpulint.yaml</code></dd>",
        "<dd><code>0123abc</code></dd>", "; 1970-01-01 00:00 UTC</summary>", "<dd>1 node</dd>",
        "<li>gone.yaml: cannot be read</li>", "2 workloads have no nodes in the same scope"}) {
    CAPTURE(text);
    CHECK(page.find(text) != std::string::npos);
  }
}

TEST_CASE("findings stand under their rule, errors first, the first of each rule unfolded") {
  Example example = gpulint::test::ordinary_example();
  const std::string page = emit("html", example.run());
  std::vector<std::size_t> at;
  for (const std::string_view id : {"of-untolerated-taint", "of-fractional-gpu",
                                    "of-legacy-node-label", "of-unrendered-template"}) {
    at.push_back(page.find("id=\"" + std::string(id) + '"'));
  }
  CHECK(std::ranges::is_sorted(at));
  CHECK(at.back() != std::string::npos);
  CHECK(page.find("data-rule=\"untolerated-taint\" open>") != std::string::npos);
  CHECK(page.find("data-rule=\"fractional-gpu\">") != std::string::npos);
  CHECK(page.find("<strong>fractional-gpu</strong> <span class=\"count\">2</span>") !=
        std::string::npos);
  CHECK(page.find("id=\"finding-4\" data-severity=\"error\" open>") != std::string::npos);
  CHECK(page.find("id=\"finding-5\" data-severity=\"error\">") != std::string::npos);
}

TEST_CASE("cells lead to the finding about the same line, and findings to their cells") {
  Example example = gpulint::test::cluster_example();
  PlacementMatrix::Row& row = example.placements[0].rows[0];
  row.workloads[0].demands = row.cells[2].places;
  const Run run = example.run();
  const gpulint::PageLinks links = gpulint::link_page(run);
  REQUIRE(links.finding_of_cell.size() == 1);  // the one cell with a place
  const auto [cell, finding] = *links.finding_of_cell.begin();
  CHECK(cell == gpulint::CellNumber{1, 2});
  CHECK(run.diagnostics[finding - 1].rule->id == "untolerated-taint");
  CHECK(links.cells_of_finding.at(finding) == std::vector{cell});
  CHECK(links.findings_of_workload.at({1, 0}) == std::vector{finding});
  CHECK(links.findings_of_workload.at({2, 0}).empty());
}

TEST_CASE("rows have the findings within their object") {
  Example example = gpulint::test::cluster_example();
  example.placements[0].rows[1].workloads[0].place = example.sources.file(2).whole();
  const Run run = example.run();
  const std::vector<std::size_t> found = gpulint::link_page(run).findings_of_workload.at({2, 0});
  CHECK(found.size() == 4);  // all but that of the template; errors come first
  CHECK(std::ranges::is_sorted(found, std::greater<>(), [&](std::size_t number) {
    return run.diagnostics[number - 1].severity;
  }));
}

TEST_CASE("workloads with the same results share a row, those that fit nowhere come first") {
  PlacementMatrix matrix;
  const auto row = [](std::string name, Verdict verdict, std::string detail) {
    gpulint::PlacementCell cell;
    cell.verdict = verdict;
    cell.detail = std::move(detail);
    return PlacementMatrix::Row{{{std::move(name)}}, {cell}, verdict};
  };
  matrix.rows = {row("a", Verdict::fits, ""), row("b", Verdict::refused, "gpu 1 < 2"),
                 row("c", Verdict::fits, ""), row("d", Verdict::refused, "gpu 1 < 4"),
                 row("e", Verdict::open, ""), row("f", Verdict::refused, "gpu 1 < 2")};
  gpulint::arrange_rows(matrix);
  std::vector<std::string> names;
  for (const PlacementMatrix::Row& each : matrix.rows) names.push_back(gpulint::name_of(each));
  CHECK(names == std::vector<std::string>{"b +1", "d", "e", "a +1"});
  CHECK(matrix.rows[0].workloads[1].name == "f");
}

TEST_CASE("many nodes get letters, and slices for paper") {
  Example example = gpulint::test::clean_example();
  PlacementMatrix& matrix = example.placements.emplace_back();
  PlacementMatrix::Row row{{{"Pod/default/a"}}, {}};
  for (int i = 0; i < 14; ++i) {
    matrix.nodes.push_back("n" + std::to_string(i));
    row.cells.push_back(
        {Verdict::refused, {"untolerated"}, gpulint::ReasonGroup::taint, "taint gpu"});
  }
  matrix.rows.push_back(row);
  const std::string page = emit("html", example.run());
  CHECK(page.find("<table class=\"placement letters\"") != std::string::npos);
  CHECK(page.find("<a>T<i>untolerated</i></a>") != std::string::npos);
  std::size_t slices = 0;
  for (std::size_t at = 0; (at = page.find("placement slice", at)) != std::string::npos; ++at)
    ++slices;
  CHECK(slices == 3);  // of six columns each
  CHECK(page.find("<td>taint gpu</td>") != std::string::npos);
}

TEST_CASE("keys, texts and comments have colours of their own") {
  CHECK(colored_html("a: 1 # b") == "<b>a</b>: <u>1</u> <i># b</i>");
  CHECK(colored_html("- {k: 'x', \"q\" : [true, word]}") ==
        "- {<b>k</b>: <u>'x'</u>, <b>\"q\"</b> : [<u>true</u>, word]}");
  CHECK(colored_html("url: http://x#y") == "<b>url</b>: http://x#y");
  CHECK(colored_html("two words: 16Gi\n  b:") == "<b>two words</b>: <u>16Gi</u>\n  <b>b</b>:");
  CHECK(colored_html("'open: \"\\") == "<u>'open: \"\\</u>");
  CHECK(colored_html("\"\\").starts_with("<u>"));
}

TEST_CASE("a fix is a patch with the lines of the whole file") {
  Example example;
  const gpulint::FileId file = example.add("a.yaml", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  const Fix fix{Safety::safe, "t", {{example.find(file, "6"), "six"}}};
  const std::string html = gpulint::diff_html(gpulint::fix_diff(example.run(), fix));
  CHECK(html ==
        "<div class=\"patch\"><pre><var>--- a/a.yaml</var>\n<var>+++ b/a.yaml</var>\n"
        "<var>@@ -3,7 +3,7 @@</var>\n 3\n 4\n 5\n<del>-6</del>\n<ins>+six</ins>\n 7\n 8\n 9\n"
        "</pre></div>");
}
