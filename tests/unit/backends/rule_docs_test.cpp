#include "backends/rule_docs.h"

#include <sstream>

#include <catch2/catch.hpp>

#include "tests/unit/backends/example_run.h"

using gpulint::Presentation;
using gpulint::test::check_golden;
using gpulint::test::Example;

namespace {

template <class Write>
std::string text_of(Write write) {
  std::ostringstream out;
  write(out);
  return out.str();
}

}  // namespace

TEST_CASE("rules are listed as a table, as JSON and as Markdown") {
  const Example example = gpulint::test::ordinary_example();
  check_golden("rules.txt", text_of([&](std::ostream& out) {
                 gpulint::write_rule_table(example.rules, {}, out);
               }));
  check_golden("rules.json", text_of([&](std::ostream& out) {
                 gpulint::write_rule_table_json(example.rules, out);
               }));
  check_golden("rules.md",
               text_of([&](std::ostream& out) { gpulint::write_rule_index(example.rules, out); }));
}

TEST_CASE("a rule is explained for a terminal, as JSON and as a page") {
  const Example example = gpulint::test::ordinary_example();
  const std::span<const gpulint::RuleText> one(&example.rules.back(), 1);
  check_golden("rule.txt", text_of([&](std::ostream& out) {
                 gpulint::write_rules(one, Presentation{.width = 60}, out);
               }));
  check_golden("rule.json",
               text_of([&](std::ostream& out) { gpulint::write_rules_json(one, out); }));
  check_golden("rule.md",
               text_of([&](std::ostream& out) { gpulint::write_rule_page(one.front(), out); }));
}

TEST_CASE("statistics count findings by rule, most frequent first") {
  Example example = gpulint::test::ordinary_example();
  const gpulint::Run run = example.run();
  CHECK(text_of([&](std::ostream& out) { gpulint::write_statistics(run, out); }) ==
        "2  error    fractional-gpu       A GPU count that is not a whole number.\n"
        "1  warning  legacy-node-label    A node label that Kubernetes or the provider replaced."
        "  (1 fixable)\n"
        "1  info     unrendered-template  The file is a Helm template, not its output.\n"
        "1  error    untolerated-taint    A workload would fit a GPU node but for a taint it does"
        " not tolerate.  (1 fixable)\n"
        "5  in all\n");
}

TEST_CASE("the job summary is a table that nothing of the input breaks") {
  Example cluster = gpulint::test::cluster_example();
  check_golden("cluster.summary.md", gpulint::test::emit("markdown", cluster.run()));
}
