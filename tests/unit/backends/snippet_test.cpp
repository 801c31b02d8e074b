#include "backends/snippet.h"

#include <chrono>

#include <catch2/catch.hpp>

#include "backends/unicode.h"

using gpulint::make_snippet;
using gpulint::Snippet;
using gpulint::SourceFile;
using gpulint::Span;

namespace {

/// The line with the underline below it, as a terminal with one cell a column would show it.
std::string drawn(const SourceFile& file, std::uint32_t begin, std::uint32_t end,
                  std::size_t limit = 200) {
  const Snippet snippet = make_snippet(file, Span{0, begin, end}, limit);
  CHECK(gpulint::cell_width(snippet.text) <= limit);
  return snippet.text + "\n" + std::string(snippet.indent, ' ') + std::string(snippet.width, '^');
}

}  // namespace

TEST_CASE("the underline stands below the span's text") {
  const SourceFile file(0, "a.yaml", "key: value  \nnext: 1\n");
  CHECK(drawn(file, 5, 10) == "key: value\n     ^^^^^");
  CHECK(drawn(file, 19, 20) == "next: 1\n      ^");
}

TEST_CASE("an empty span is one caret, also behind the end of its line and of the file") {
  const SourceFile file(0, "a.yaml", "ab\ncd");
  CHECK(drawn(file, 0, 0) == "ab\n^");
  CHECK(drawn(file, 2, 2) == "ab\n  ^");
  CHECK(drawn(file, 5, 5) == "cd\n  ^");
  const SourceFile empty(0, "b.yaml", "");
  CHECK(drawn(empty, 0, 0) == "\n^");
}

TEST_CASE("tabs, wide, combining and escaped characters keep the underline in place") {
  const SourceFile file(0, "a.yaml",
                        "\t宽e\u0301\x1b"
                        "x: v\n");
  const std::uint32_t x = 1 + 3 + 3 + 1;
  // Four cells for the tab, two for the wide one, one for e with its accent, four for \x1b.
  CHECK(drawn(file, x, x + 1) == "    宽e\u0301\\x1bx: v\n           ^");
  CHECK(drawn(file, 1, 4) == "    宽e\u0301\\x1bx: v\n    ^^");
}

TEST_CASE("of a span over several lines the first is drawn and the last is named") {
  const SourceFile file(0, "a.yaml", "a: |\n  one\n  two\n\nb: 1\n");
  const Snippet snippet = make_snippet(file, Span{0, 3, 18}, 80);
  CHECK(snippet.text == "a: |");
  CHECK(snippet.indent == 3);
  CHECK(snippet.width == 1);
  CHECK(snippet.line == 1);
  CHECK(snippet.last_line == 3);  // the blank line belongs to the scalar, not to what is shown
}

TEST_CASE("a byte order mark takes no place") {
  const SourceFile file(0, "a.yaml", "\xEF\xBB\xBFkey: 1\n");
  CHECK(drawn(file, 3, 6) == "key: 1\n^^^");
}

TEST_CASE("long lines are cut around the span") {
  const std::string line = std::string(300, 'a') + "MARK" + std::string(300, 'b');
  const SourceFile file(0, "a.yaml", line + "\n");
  CHECK(drawn(file, 300, 304, 30) == "…aaaaaaaaaMARKbbbbbbbbbbbbbbb…\n          ^^^^");
  CHECK(drawn(file, 0, 2, 10) == "aaaaaaaaa…\n^^");
  CHECK(drawn(file, 602, 604, 10) == "…bbbbbbbbb\n        ^^");
  CHECK(drawn(file, 300, 604, 10) == "…aaMARKbb…\n   ^^^^^^");
}

TEST_CASE("a wide character at the cut is left out whole") {
  std::string line;
  for (int i = 0; i < 40; ++i) line += "宽";
  const SourceFile file(0, "a.yaml", line);
  const Snippet snippet = make_snippet(file, Span{0, 60, 63}, 11);
  CHECK(gpulint::cell_width(snippet.text) <= 11);
  CHECK(snippet.width == 2);
}

TEST_CASE("many findings in one line of megabytes take no time each") {
  const SourceFile file(0, "a.json", std::string(32'000'000, 'x'));
  const auto start = std::chrono::steady_clock::now();
  for (std::uint32_t i = 0; i < 1000; ++i) {
    CHECK(make_snippet(file, Span{0, i * 30000, i * 30000 + 3}, 100).width == 3);
  }
  // The whole line for each of them would be 32 GB to look at.
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}
