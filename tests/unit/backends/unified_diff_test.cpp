#include "backends/unified_diff.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

using gpulint::unified_diff;

namespace {

/// Lines with their line breaks.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

/// The line at which a hunk's old side begins, counted from 0: `@@ -BEGIN,COUNT +… @@`.
std::size_t old_begin(const std::string& head) {
  const std::size_t begin = std::stoul(head.substr(4));
  const std::size_t comma = head.find_first_of(", ", 4);
  const bool is_empty = head[comma] == ',' && head[comma + 1] == '0';
  return is_empty ? begin : begin - 1;  // an empty side stands behind the line that it names
}

/// What patch(1) makes of the old text: every line that the diff shows must stand there.
std::string patched(const std::string& before, const std::string& diff) {
  const std::vector<std::string> old_lines = lines_of(before);
  const std::vector<std::string> diff_lines = lines_of(diff);
  std::string result;
  std::size_t at = 0;
  for (std::size_t i = 2; i < diff_lines.size(); ++i) {
    const std::string& line = diff_lines[i];
    if (line.starts_with("@@")) {
      REQUIRE(at <= old_begin(line));
      while (at < old_begin(line)) result += old_lines.at(at++);
      continue;
    }
    if (line.starts_with('\\')) continue;
    std::string content = line.substr(1);
    const bool is_unended = i + 1 < diff_lines.size() && diff_lines[i + 1].starts_with('\\');
    if (is_unended) content.pop_back();
    if (line[0] != '+') {
      REQUIRE(old_lines.at(at) == content);
      ++at;
    }
    if (line[0] != '-') result += content;
  }
  while (at < old_lines.size()) result += old_lines[at++];
  return result;
}

std::size_t count_lines(const std::string& diff, char mark) {
  std::size_t count = 0;
  for (const std::string& line : lines_of(diff)) count += line[0] == mark ? 1U : 0U;
  return count - 1;  // less that of the head
}

}  // namespace

TEST_CASE("equal texts have no diff") {
  CHECK(unified_diff("a.yaml", "", "").empty());
  CHECK(unified_diff("a.yaml", "a\n", "a\n").empty());
}

TEST_CASE("a change stands between three lines of context, as git diff has it") {
  CHECK(unified_diff("a.yaml", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n") ==
        "--- a/a.yaml\n+++ b/a.yaml\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST_CASE("changes share a hunk where their context meets, and have their own one line further") {
  const std::string between = "1\n2\n3\n4\n5\n6\n";
  CHECK(unified_diff("a", "x\n" + between + "y\n", "X\n" + between + "Y\n") ==
        "--- a/a\n+++ b/a\n@@ -1,8 +1,8 @@\n-x\n+X\n 1\n 2\n 3\n 4\n 5\n 6\n-y\n+Y\n");
  CHECK(unified_diff("a", "x\n" + between + "7\ny\n", "X\n" + between + "7\nY\n") ==
        "--- a/a\n+++ b/a\n@@ -1,4 +1,4 @@\n-x\n+X\n 1\n 2\n 3\n"
        "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-y\n+Y\n");
}

TEST_CASE("an empty side is line 0, and one line has no count") {
  CHECK(unified_diff("a", "", "x\n") == "--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+x\n");
  CHECK(unified_diff("a", "x\n", "") == "--- a/a\n+++ b/a\n@@ -1 +0,0 @@\n-x\n");
}

TEST_CASE("a missing last line break is said, on the side where it is missing") {
  CHECK(unified_diff("a", "x", "x\n") ==
        "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
  CHECK(unified_diff("a", "x\ny", "z\ny") ==
        "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-x\n+z\n y\n\\ No newline at end of file\n");
}

TEST_CASE("names that would break or forge a line stand in git's quotes") {
  const auto head = [](std::string_view name) {
    const std::string diff = unified_diff(name, "", "x\n");
    return diff.substr(4, diff.find('\n') - 4);
  };
  CHECK(head("./a.yaml") == "a/a.yaml");
  CHECK(head("ü.yaml") == "a/ü.yaml");
  CHECK(head("a b") == "a/a b\t");
  CHECK(head("a\n+++ b/x") == R"("a/a\n+++ b/x")"
                              "\t");
  CHECK(head("a\tb") == R"("a/a\tb")");
  CHECK(head("a\"\\") == R"("a/a\"\\")");
  CHECK(head("\x1b[31m") == R"("a/\033[31m")");
}

TEST_CASE("a diff makes the new text of the old one") {
  std::mt19937 random(19);
  for (int turn = 0; turn < 2000; ++turn) {
    const auto any_text = [&](std::size_t most_lines, std::size_t words) {
      std::string text;
      for (std::size_t count = random() % (most_lines + 1); count > 0; --count) {
        text += fmt::format("{}{}", random() % words, random() % 9 == 0 ? "" : "\n");
      }
      return text;
    };
    const std::string before = any_text(40, turn % 2 == 0 ? 3 : 30);
    const std::string after = any_text(40, turn % 2 == 0 ? 3 : 30);
    CAPTURE(before, after);
    CHECK(patched(before, before == after ? "" : unified_diff("a", before, after)) == after);
  }
}

TEST_CASE("as many lines change as were changed") {
  std::string before;
  std::string after;
  for (int i = 0; i < 300; ++i) {
    const std::string line = fmt::format("line {}\n", i);
    before += line;
    after += i % 4 == 0 ? fmt::format("changed {}\n", i) : line;
  }
  const std::string diff = unified_diff("a", before, after);
  CHECK(count_lines(diff, '-') == 75);
  CHECK(count_lines(diff, '+') == 75);
}

TEST_CASE("time and memory grow with the texts where every other line differs") {
  std::string before;
  std::string after;
  for (int i = 0; i < 20'000; ++i) {
    before += fmt::format("kept {0}\nold {0}\n", i);
    after += fmt::format("kept {0}\nnew {0}\n", i);
  }
  const auto start = std::chrono::steady_clock::now();
  const std::string diff = unified_diff("a", before, after);
  // The trace of 40,000 differences in one piece would hold 1.6 · 10⁹ numbers.
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(60));
  CHECK(patched(before, diff) == after);
}

TEST_CASE("the smallest edit makes one text the other and cuts no code point") {
  using gpulint::smallest_edit;
  using gpulint::TextEdit;
  CHECK(smallest_edit("a: b\n", "a: b\nc: d\n") == TextEdit{5, 5, "c: d\n"});
  CHECK(smallest_edit("a: b\n", "a: b\n") == TextEdit{5, 5, ""});
  CHECK(smallest_edit("x\xC3\xA4y", "x\xC3\xA5y") == TextEdit{1, 3, "\xC3\xA5"});
  CHECK(smallest_edit("x\xC3\xA4y", "x\xC4\xA4y") == TextEdit{1, 3, "\xC4\xA4"});
}
