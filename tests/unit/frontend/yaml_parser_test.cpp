#include "frontend/yaml_parser.h"

#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

/// The text that a value's span covers.
[[nodiscard]] std::string_view written(const test::Parsed& parsed, Node node) {
  return parsed.sources().text(node.span());
}

}  // namespace

TEST_CASE("Spans end exactly where a scalar's text ends, in every style") {
  const test::Parsed parsed(
      "plain: a b  # c\nmulti: one\n  two\nsingle: 'it''s'\ndouble: \"a\\\"\\n\"\n"
      "literal: |+\n  x\n\nfolded: >-\n  y\n  z\nempty:\nlast: end");
  const Node root = parsed.root();
  CHECK(written(parsed, root.get("plain")) == "a b");
  CHECK(written(parsed, root.get("multi")) == "one\n  two");
  CHECK(root.get("multi").text() == "one two");
  CHECK(written(parsed, root.get("single")) == "'it''s'");
  CHECK(root.get("single").text() == "it's");
  CHECK(written(parsed, root.get("double")) == "\"a\\\"\\n\"");
  CHECK(root.get("literal").text() == "x\n\n");
  CHECK(root.get("folded").text() == "y z");
  CHECK(written(parsed, root.get("empty")).empty());
  CHECK(root.get("empty").is_null());
  CHECK(written(parsed, root.get("last")) == "end");
}

TEST_CASE("Spans count bytes behind a byte order mark, CRLF and letters beyond ASCII") {
  const test::Parsed parsed("\xEF\xBB\xBF\xC3\xA4: \"\xE2\x82\xAC\"\r\nb: c\r\n");
  CHECK(parsed.root().get("\xC3\xA4").span() == Span{0, 7, 12});
  CHECK(written(parsed, parsed.root().get("b")) == "c");
}

TEST_CASE("Anchor and tag stand outside the span, and are kept") {
  const test::Parsed parsed("a: &x !!str 1\n");
  const Node value = parsed.root().get("a");
  CHECK(written(parsed, value) == "1");
  CHECK(value.anchor() == "x");
  CHECK(value.tag() == "tag:yaml.org,2002:str");
  CHECK(value.begin_with_properties() == 3);
}

TEST_CASE("Flow collections span their brackets, block collections their entries") {
  const test::Parsed parsed("f: {a: [1, 2]}\nb:\n  - x\n  - y: z\n");
  CHECK(written(parsed, parsed.root().get("f")) == "{a: [1, 2]}");
  CHECK(written(parsed, parsed.root().get("b")).starts_with("- x"));
}

TEST_CASE("One broken document does not lose the others") {
  const test::Parsed parsed("a: 1\n---\nb: [\n---\nc: 3\n");
  REQUIRE(parsed.size() == 3);
  CHECK(parsed.document(0).errors.empty());
  CHECK(parsed.document(1).errors.size() == 1);
  CHECK(parsed.root(2).get("c").text() == "3");
}

TEST_CASE("Templates are marked, not parsed as flow mappings") {
  CHECK(test::Parsed("a: {{ .Values.x }}\n").document().is_template);
  CHECK(test::Parsed("{{- if .Values.x }}\na: 1\n{{- end }}\n").document().is_template);
  CHECK_FALSE(test::Parsed("a: \"{{ x }}\"\n").document().is_template);
  CHECK(test::Parsed("a: \"{{ x }}\"\n").root().get("a").is_opaque());
}

TEST_CASE("Nesting beyond the limit is told, whatever the depth") {
  for (const std::size_t depth : {199U, 400U, 100'000U}) {
    const test::Parsed parsed("a: " + std::string(depth, '[') + std::string(depth, ']') + "\n");
    REQUIRE(parsed.size() == 1);
    CHECK(parsed.document().errors.empty() == (depth < 200));
    if (depth > 200) CHECK(parsed.document().errors[0].kind == SyntaxError::Kind::limit);
  }
}

TEST_CASE("JSON is read with the same spans") {
  const test::Parsed parsed("{\"a\": [1, \"x\"], \"b\": null}\n");
  CHECK(parsed.document().is_json);
  CHECK(written(parsed, parsed.root().get("a").items()[1]) == "\"x\"");
  CHECK(parsed.root().get("b").is_null());
}

TEST_CASE("Comments are kept as spans") {
  const test::Parsed parsed("# one\na: 1 # two\nb: \"# none\"\n");
  const auto& comments = parsed.document().comments;
  REQUIRE(comments.size() == 2);
  CHECK(parsed.sources().text(comments[1]) == "# two");
}

TEST_CASE("A value that is missing between brackets ends before its comma") {
  const test::Parsed parsed("a: {b, c: 1}\n");
  const Node missing = parsed.root().get("a").entries()[0].value;
  CHECK(missing.is_null());
  CHECK(missing.span().begin == 5);
  CHECK(missing.span().end == 5);
}

}  // namespace gpulint
