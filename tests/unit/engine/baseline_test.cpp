#include "compiler/engine/baseline.h"

#include <sstream>

#include <catch2/catch.hpp>

#include "backends/baseline_file.h"
#include "frontend/yaml_parser.h"

namespace {

using namespace gpulint;

constexpr RuleInfo taint{.id = "untolerated-taint", .category = "placement", .summary = "s"};
constexpr RuleInfo label{.id = "legacy-node-label", .category = "deprecated", .summary = "s"};

[[nodiscard]] Diagnostic finding(const RuleInfo& rule, FileId file, std::string message) {
  Diagnostic made;
  made.rule = &rule;
  made.span = {file, 0, 0};
  made.message = std::move(message);
  return made;
}

}  // namespace

TEST_CASE("A message's shape leaves numbers and quoted values out") {
  CHECK(message_shape("no node has `a`") == message_shape("no node has `bcd`"));
  CHECK(message_shape("12 pods ask for 3 GPUs") == message_shape("1 pods ask for 40 GPUs"));
  CHECK(message_shape("no node has `a`") != message_shape("a node has `a`"));
  CHECK(message_shape("ends in `an open quote") == "ends in `");
}

TEST_CASE("What a baseline counts is hidden, what goes beyond remains") {
  SourceSet sources;
  sources.add("a.yaml", "");
  sources.add("b.yaml", "");
  const std::vector<Diagnostic> known = {finding(taint, 0, "pod `x`"), finding(taint, 0, "pod `y`"),
                                         finding(label, 1, "label `z`")};
  const Baseline baseline = make_baseline(known, sources, ".");

  SECTION("the same findings, in any order") {
    std::vector<Diagnostic> now(known.rbegin(), known.rend());
    CHECK(apply_baseline(baseline, sources, ".", now) == 0);
    CHECK(now.empty());
  }
  SECTION("a new message is the one that remains") {
    std::vector<Diagnostic> now = {finding(taint, 0, "pod `new`"), known[0], known[1]};
    CHECK(apply_baseline(baseline, sources, ".", now) == 1);  // the label is gone
    REQUIRE(now.size() == 1);
    CHECK(now[0].message == "pod `new`");
  }
  SECTION("a changed value is still the old finding") {
    std::vector<Diagnostic> now = {known[0], finding(taint, 0, "pod `renamed`"), known[2]};
    CHECK(apply_baseline(baseline, sources, ".", now) == 0);
    CHECK(now.empty());
  }
  SECTION("another rule or file is another finding") {
    std::vector<Diagnostic> now = {finding(label, 0, "label `z`"), finding(taint, 1, "pod `x`")};
    CHECK(apply_baseline(baseline, sources, ".", now) == 3);
    CHECK(now.size() == 2);
  }
}

TEST_CASE("A baseline reads back as it was written") {
  SourceSet sources;
  sources.add("a \"b\"\n\\.yaml", "");
  const std::vector<Diagnostic> known = {finding(taint, 0, "pod `x`: \"quoted\"\ttab"),
                                         finding(taint, 0, "pod `x`: \"quoted\"\ttab")};
  const Baseline baseline = make_baseline(known, sources, ".");
  std::ostringstream text;
  write_baseline(baseline, text);
  const SourceFile file(0, "known.json", text.str());
  const auto documents = parse_file(file);
  REQUIRE(documents.size() == 1);
  const BaselineReading reading = read_baseline(root(*documents[0]));
  CHECK(reading.problem.empty());
  CHECK(reading.baseline.counts == baseline.counts);
  CHECK(baseline.counts.begin()->second == 2);
}
