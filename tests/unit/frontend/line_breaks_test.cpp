#include "frontend/line_breaks.h"

#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "frontend/yaml_parser.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

/// The text that a value's span covers.
[[nodiscard]] std::string_view written_text(const test::Parsed& parsed, Node node) {
  return parsed.sources().text(node.span());
}

}  // namespace

TEST_CASE("A line break of YAML 1.1 ends a line of a block scalar, too") {
  const auto kind = [](const std::string& text) {
    const test::Parsed parsed(text);
    return parsed.document().errors.empty() ? SyntaxError::Kind::limit
                                            : parsed.document().errors[0].kind;
  };
  CHECK(kind("a: |\n  b\xE2\x80\xA8"
             "c\n") == SyntaxError::Kind::dialect);
  CHECK(kind("- >\n  b\xC2\x85"
             "c\n") == SyntaxError::Kind::dialect);
  CHECK(kind("a: |\n  b\xE2\x80\xA8\n") == SyntaxError::Kind::limit);
  CHECK(kind("a: |\n  b\xE2\x80\xA8  c\n") == SyntaxError::Kind::limit);
}

TEST_CASE("A line break of YAML 1.1 in quotes is folded as Go's reader folds it") {
  const auto value = [](const std::string& text) {
    const test::Parsed parsed("a: " + text + "\n");
    REQUIRE(parsed.document().errors.empty());
    return std::string(parsed.root().get("a").text());
  };
  CHECK(value("\"b \xC2\x85 c\"") == "b c");
  CHECK(value("'b\xC2\x85\xC2\x85"
              "c'") == "b\nc");
  CHECK(value("\"b \xE2\x80\xA8 c\"") ==
        "b\xE2\x80\xA8"
        "c");
  CHECK(value("\"b\n  \xE2\x80\xA9 c\"") ==
        "b\xE2\x80\xA9"
        "c");
  CHECK(test::Parsed("\"b\xC2\x85"
                     "c\": d\n")
            .document()
            .errors.size() == 1);
}

TEST_CASE("A line break of YAML 1.1 in a block scalar is one in its value, too") {
  const auto value = [](const std::string& text) {
    const test::Parsed parsed("a: " + text + "b: c\n");
    REQUIRE(parsed.document().errors.empty());
    CHECK(parsed.root().get("b").text() == "c");
    return std::string(parsed.root().get("a").text());
  };
  CHECK(value("|\n  \xE2\x80\xA8\n").empty());
  CHECK(value("|\n  x\xC2\x85\n") == "x\n");
  CHECK(value("|\n  x\xC2\x85  y\n") == "x\ny\n");
  CHECK(value(">\n  x\xC2\x85  y\n") == "x y\n");
  CHECK(value(">\n  x\xE2\x80\xA9  y\n") == "x\xE2\x80\xA9y\n");
  CHECK(value("|+\n  x\n  \xC2\x85\n") == "x\n\n\n");
  CHECK(value("|-\n  \xE2\x80\x9Cx\xE2\x80\x9D\n") == "\xE2\x80\x9Cx\xE2\x80\x9D");
}

TEST_CASE("Text behind a line break of YAML 1.1 is traced to where it stands") {
  const test::Parsed parsed("a: |\n  x: 1\xC2\x85  y: 2\n  z: 3\n");
  const auto inner = parse_embedded(parsed.root().get("a"), parsed.sources().file(0));
  REQUIRE(inner.size() == 1);
  CHECK(written_text(parsed, root(*inner[0]).get("y")) == "2");
  CHECK(written_text(parsed, root(*inner[0]).get("z")) == "3");
}

TEST_CASE("A backslash before a line break of YAML 1.1 takes it out of quotes") {
  for (const std::string line_break : {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    CAPTURE(line_break);
    const test::Parsed parsed("a: \"x \\" + line_break + "  y\"\nb: \"x\\\\" + line_break +
                              " y\"\n");
    REQUIRE(parsed.document().errors.empty());
    CHECK(parsed.root().get("a").text() == "x y");
    CHECK(written_text(parsed, parsed.root().get("a")) == "\"x \\" + line_break + "  y\"");
    CHECK(parsed.root().get("b").text().starts_with("x\\"));
  }
}

}  // namespace gpulint
