#include "backends/fingerprint.h"

#include <catch2/catch.hpp>

#include "tests/unit/backends/example_run.h"

using gpulint::github_line_hashes;
using gpulint::stable_fingerprints;
using gpulint::test::Example;

using Hashes = std::vector<std::string>;

// Expected values: the test of github/codeql-action, src/fingerprints.test.ts.
TEST_CASE("line hashes are those that GitHub's upload action computes") {
  CHECK(github_line_hashes("") == Hashes{"c129715d7a2bc9a3:1"});
  CHECK(github_line_hashes(" a\nb\n  \t\tc\n d") == Hashes{"271789c17abda88f:1",
                                                           "54703d4cd895b18:1", "180aee12dab6264:1",
                                                           "a23a3dc5e078b07b:1"});
  CHECK(github_line_hashes(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End") ==
        Hashes{"8b7cf3e952e7aeb2:1", "b1ae1287ec4718d9:1", "bff680108adb0fcc:1",
               "c6805c5e1288b612:1", "b86d3392aea1be30:1", "e6ceba753e1a442:1"});
}

TEST_CASE("every kind of line break hashes alike") {
  const Hashes expected{"e9496ae3ebfced30:1", "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1",
                        "e20e36e16fcb0cc8:1", "b3edc88f2938467e:1", "c8e28b0b4002a3a0:1",
                        "c129715d7a2bc9a3:1"};
  CHECK(github_line_hashes(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n") == expected);
  CHECK(github_line_hashes(" hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r") == expected);
  CHECK(github_line_hashes(" hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n") ==
        expected);
  CHECK(github_line_hashes(" hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n") == expected);
}

TEST_CASE("lines with equal hashes are numbered") {
  std::string text;
  for (int i = 0; i < 10; ++i) text += "Lorem ipsum dolor sit amet.\n";
  CHECK(github_line_hashes(text) ==
        Hashes{"a7f2ff13bc495cf2:1", "a7f2ff13bc495cf2:2", "a7f2ff13bc495cf2:3",
               "a7f2ff13bc495cf2:4", "a7f2ff13bc495cf2:5", "a7f2ff13bc495cf2:6",
               "a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1", "55ec222b86bcae53:1",
               "cc97dc7b1d7d8f7b:1", "c129715d7a2bc9a3:1"});
}

namespace {

constexpr gpulint::RuleInfo rule{.id = "fractional-gpu", .category = "resources", .summary = "x"};

/// One finding on the text `0.5` at path `a.gpu`, and one more of the same on `0.7`.
Hashes fingerprints_of(std::string text) {
  Example example;
  const gpulint::FileId file = example.add("values.yaml", std::move(text));
  example.report(rule, example.find(file, "0.5"), "no whole number").path = "a.gpu";
  example.report(rule, example.find(file, "0.7"), "no whole number").path = "b.gpu";
  return stable_fingerprints(example.run());
}

}  // namespace

TEST_CASE("fingerprints of findings survive lines that move, and tell findings apart") {
  const Hashes before = fingerprints_of("a: {gpu: 0.5}\nb: {gpu: 0.7}\n");
  CHECK(before.at(0) != before.at(1));
  CHECK(fingerprints_of("# new\n\nc: 1\na: {gpu: 0.5}\nb:\n  gpu: 0.7\n") == before);
}

TEST_CASE("findings that nothing tells apart are numbered") {
  Example example;
  const gpulint::FileId file = example.add("values.yaml", "- 0.5\n- 0.5\n");
  example.report(rule, example.find(file, "0.5", 1), "no whole number");
  example.report(rule, example.find(file, "0.5", 2), "no whole number");
  const Hashes fingerprints = stable_fingerprints(example.run());
  CHECK(fingerprints.at(0).ends_with(":1"));
  CHECK(fingerprints.at(1) == fingerprints.at(0).substr(0, 16) + ":2");
}
