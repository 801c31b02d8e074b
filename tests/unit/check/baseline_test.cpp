#include "compiler/check/baseline.h"

#include <sstream>

#include <catch2/catch.hpp>

#include "backends/baseline_file.h"
#include "frontend/yaml_parser.h"

namespace {

using namespace gpulint;

constexpr RuleInfo taint{.id = "untolerated-taint", .category = "placement", .summary = "s"};
constexpr RuleInfo selector{
    .id = "unmatched-node-selector", .category = "placement", .summary = "s"};
constexpr RuleInfo toleration{
    .id = "toleration-value-mismatch", .category = "placement", .summary = "s"};
constexpr RuleInfo label{.id = "legacy-node-label", .category = "deprecated", .summary = "s"};

[[nodiscard]] Diagnostic finding(const RuleInfo& rule, FileId file, std::string message) {
  Diagnostic made;
  made.rule = &rule;
  made.span = {file, 0, 0};
  made.message = std::move(message);
  return made;
}

/// Of a run that checked everything.
BaselineUse apply(const Baseline& baseline, const SourceSet& sources,
                  std::vector<Diagnostic>& findings) {
  const auto is_checked = [](const Baseline::Key&) { return true; };
  return apply_baseline(baseline, sources, ".", is_checked, findings);
}

}  // namespace

TEST_CASE("A message's shape leaves numbers and quoted values out") {
  CHECK(message_shape("no node has `a`") == message_shape("no node has `bcd`"));
  CHECK(message_shape("12 pods ask for 3 GPUs") == message_shape("1 pods ask for 40 GPUs"));
  CHECK(message_shape("no node has `a`") != message_shape("a node has `a`"));
  CHECK(message_shape("ends in `an open quote") == "ends in `");
  CHECK(message_shape("Pod `a` needs `b`") == message_shape("Pod `a` needs `c`"));
  CHECK(message_shape("Pod `a` needs `b`") != message_shape("Pod `c` needs `b`"));
  CHECK(message_shape("task `a`") != message_shape("task `b`"));
  CHECK(message_shape("worker group `a` of RayCluster `r` needs `b`") !=
        message_shape("worker group `c` of RayCluster `r` needs `b`"));
  CHECK(message_shape("64Gi `a`") == message_shape("64Gi `b`"));  // an amount is not a kind
}

TEST_CASE("A message that is worded anew stays known by the objects that it names") {
  SourceSet sources;
  sources.add("a.yaml", "");
  const Baseline baseline =
      make_baseline(std::vector{finding(taint, 0, "taint `t` keeps Pod `x` off")}, sources, ".");
  std::vector<Diagnostic> now = {finding(taint, 0, "Pod `x` does not tolerate the taint `t`"),
                                 finding(taint, 0, "Pod `y` does not tolerate the taint `t`")};
  CHECK(apply(baseline, sources, now).known == 1);
  REQUIRE(now.size() == 1);
  CHECK(now[0].message == "Pod `y` does not tolerate the taint `t`");
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
    CHECK(apply(baseline, sources, now).gone == 0);
    CHECK(now.empty());
  }
  SECTION("a new message is the one that remains") {
    std::vector<Diagnostic> now = {finding(taint, 0, "pod `new`"), known[0], known[1]};
    CHECK(apply(baseline, sources, now).gone == 1);  // the label is gone
    REQUIRE(now.size() == 1);
    CHECK(now[0].message == "pod `new`");
  }
  SECTION("a changed value is still the old finding") {
    std::vector<Diagnostic> now = {known[0], finding(taint, 0, "pod `renamed`"), known[2]};
    CHECK(apply(baseline, sources, now).gone == 0);
    CHECK(now.empty());
  }
  SECTION("another rule or file is another finding") {
    std::vector<Diagnostic> now = {finding(label, 0, "label `z`"), finding(taint, 1, "pod `x`")};
    CHECK(apply(baseline, sources, now).gone == 3);
    CHECK(now.size() == 2);
  }
}

TEST_CASE("Entries of files that were not checked are not gone") {
  SourceSet sources;
  sources.add("a.yaml", "");
  sources.add("b.yaml", "");
  const std::vector<Diagnostic> known = {finding(taint, 0, "pod `x`"), finding(taint, 1, "pod `y`"),
                                         finding(taint, 1, "pod `z`")};
  std::vector<Diagnostic> now = {known[0]};
  const auto is_checked = [](const Baseline::Key& key) { return key.file == "a.yaml"; };
  const Baseline baseline = make_baseline(known, sources, ".");
  CHECK(apply_baseline(baseline, sources, ".", is_checked, now).gone == 0);
  now.clear();
  CHECK(apply_baseline(baseline, sources, ".", is_checked, now).gone == 1);
}

// The messages are those of 0.1.0 at 28c5c3a6, which gave one finding for several workloads.
TEST_CASE("A baseline of an older release silences each workload that an entry counted") {
  SourceSet sources;
  for (const char* name : {"w1.yaml", "w2.yaml", "w3.yaml"}) sources.add(name, "");
  Baseline old;
  old.groups_workloads = true;
  const auto message = [](const std::string& of, std::string_view verb) {
    return "no known node satisfies `p=A100`, which " + of + " " + std::string(verb);
  };
  const auto add = [&](const RuleInfo& rule, std::string text) {
    old.counts[{"w1.yaml", std::string(rule.id), std::move(text)}] = 1;
  };

  SECTION("as many as it counted, in whatever file") {
    add(selector, message("Job `w1` and 1 more", "requires"));
    std::vector<Diagnostic> now = {finding(selector, 0, message("Job `w1`", "requires")),
                                   finding(selector, 1, message("Pod `w2`", "requires")),
                                   finding(selector, 2, message("Job `w3`", "requires"))};
    const BaselineUse use = apply(old, sources, now);
    CHECK(use.known == 2);
    CHECK(use.grouped == 2);
    CHECK(use.gone == 0);
    REQUIRE(now.size() == 1);
    CHECK(now[0].message == message("Job `w3`", "requires"));
  }
  SECTION("a role, a workload without a name") {
    add(selector, message("RayCluster `r` (worker/gpu) and 1 more", "requires"));
    add(selector, message("a Deployment and 2 more", "requires"));
    std::vector<Diagnostic> now;
    for (FileId file = 0; file < 3; ++file) {
      now.push_back(
          finding(selector, file, message("worker group `gpu` of RayCluster `r`", "requires")));
    }
    CHECK(apply(old, sources, now).known == 3);
    CHECK(now.empty());
  }
  SECTION("not what is wrong in another way") {
    add(selector, message("Job `w1` and 5 more", "requires"));
    std::vector<Diagnostic> now = {
        finding(selector, 1, "no known node satisfies `p=H100`, which Job `w2` requires"),
        finding(taint, 1, message("Job `w2`", "requires"))};
    CHECK(apply(old, sources, now).gone == 1);
    CHECK(now.size() == 2);
  }
  SECTION("tolerations, of which no message had the number") {
    const std::string text = "toleration of `g` is for the value `a`; the taint has `b`";
    add(toleration, text);
    std::vector<Diagnostic> now = {
        finding(toleration, 1, text), finding(toleration, 2, text),
        finding(toleration, 2, "toleration of `g` is for the value `c`")};
    CHECK(apply(old, sources, now).known == 2);
    CHECK(now.size() == 1);
  }
  SECTION("a baseline of this release counts one by one") {
    old.groups_workloads = false;
    const std::string text = "toleration of `g` is for the value `a`; the taint has `b`";
    add(toleration, text);
    std::vector<Diagnostic> now = {finding(toleration, 0, text), finding(toleration, 1, text)};
    CHECK(apply(old, sources, now).known == 1);
    CHECK(now.size() == 1);
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
  CHECK_FALSE(reading.baseline.groups_workloads);
  CHECK(baseline.counts.begin()->second == 2);
}
