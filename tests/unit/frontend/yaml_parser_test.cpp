#include "frontend/yaml_parser.h"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/ir/scalar.h"
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
  const Node missing = (*parsed.root().get("a").entries().begin()).value;
  CHECK(missing.is_null());
  CHECK(missing.span().begin == 5);
  CHECK(missing.span().end == 5);
}

TEST_CASE("Text that ends inside an escape is one error, within the text") {
  const std::vector<std::string> texts = {"\"\\",    "x: \"a\\", "- \"\\u12",
                                          "- \"\\x", "a: '",     "\"\\\n"};
  for (const std::string& text : texts) {
    CAPTURE(text);
    const test::Parsed parsed(text);
    REQUIRE(parsed.document().errors.size() == 1);
    const SyntaxError& error = parsed.document().errors[0];
    CHECK(error.span.begin <= error.span.end);
    CHECK(error.span.end <= text.size());
  }
}

TEST_CASE("One byte order mark is dropped wherever a document begins; a second one is an error") {
  const std::string mark = "\xEF\xBB\xBF";
  for (const std::string& before : std::vector<std::string>{"", "x: 1\n---\n", "x: 1\n...\n"}) {
    CAPTURE(before);
    const test::Parsed one(before + mark + "a: b\n");
    const std::size_t last = before.empty() ? 0 : 1;
    REQUIRE(one.size() == last + 1);
    CHECK(one.document(last).errors.empty());
    CHECK(written(one, one.root(last).get("a")) == "b");
    for (const std::string& more : {mark, mark + mark}) {
      const test::Parsed two(before + mark + more + "a: b\n");
      REQUIRE(two.document(last).errors.size() == 1);
      const Span at = two.document(last).errors[0].span;
      CHECK(at.begin == before.size() + mark.size());
      CHECK(at.end == before.size() + 2 * mark.size());
      CHECK(two.document(last).nodes.empty());
    }
  }
}

TEST_CASE("Anchors and tags stand before block scalars as Go's reader takes them") {
  struct Case {
    const char* text;
    const char* value;
  };
  const std::vector<Case> cases = {
      {"v:\n- &x |-\n  a: b\nw: 1\n", "a: b"},
      {"v:\n  &x |\n  a: b\n  c\nw: 1\n", "a: b\nc\n"},
      {"v:\n  !!str |\n a: b\nw: 1\n", "a: b\n"},
      {"v:\n  !Sub |\n  a: b\nw: 1\n", "a: b\n"},
      {"v: !!str &x >-\n a\n b\nw: 1\n", "a b"},
      {"v:\n- - &x |\n   a: b\n  - c\nw: 1\n", "a: b\n"},
      {"v:\n- w: 1\n  u: &x |\n   a: b\nw: 1\n", "a: b\n"},
  };
  for (const auto& [text, value] : cases) {
    CAPTURE(text);
    const test::Parsed parsed(text);
    REQUIRE(parsed.document().errors.empty());
    Node node = parsed.root().get("v");
    while (node.is_sequence()) node = node.items().front();
    if (node.is_mapping()) node = node.get("u");
    CHECK(node.text() == value);
    CHECK(node.begin_with_properties() < node.span().begin);
    CHECK(written(parsed, node).find_first_of("|>") == 0);
    CHECK(parsed.root().get("w").text() == "1");
  }
}

TEST_CASE("An anchor before a block scalar is what aliases refer to") {
  const test::Parsed parsed("a:\n- &x |\n  one: two\n- 1\nb: *x\nc: &x 2\nd: *x\n");
  REQUIRE(parsed.document().errors.empty());
  CHECK(parsed.root().get("b").text() == "one: two\n");
  CHECK(parsed.root().get("d").text() == "2");
  CHECK(parsed.root().get("a").items()[0].anchor() == "x");
  CHECK(test::Parsed("a:\n- &x |\n  one: two\nb: *y\n").document().errors.size() == 1);
}

TEST_CASE("An alias ends at the colon behind it") {
  const test::Parsed block("name: &app train\n*app: x\n");
  REQUIRE(block.document().errors.empty());
  CHECK(block.root().get("train").text() == "x");
  const test::Parsed flow("{name: &a x, b: {*a: z}, c: [*a]}\n");
  REQUIRE(flow.document().errors.empty());
  CHECK(flow.root().at("b", "x").text() == "z");
  CHECK(flow.root().get("c").items()[0].text() == "x");
  CHECK(test::Parsed("*app: x\n").document().errors.size() == 1);
  CHECK(test::Parsed("a: &b 1\n*b: 2\nc: *b\n  more\n").document().errors.size() == 1);
}

TEST_CASE("Tabs in block scalars are text from the indentation on and refused before it") {
  CHECK(test::Parsed("a: |\n x\n \t\nb: 1\n").root().get("a").text() == "x\n\t\n");
  CHECK(test::Parsed("a: |2\n  \tx\n").root().get("a").text() == "\tx\n");
  for (const std::string_view text :
       {"a: |\n  \tx\n", "a: >\n\n  \tx\n", "- |\n \tx\n", "a: |2\n \tx\n", "a: |\n  x\n \ty\n"}) {
    INFO(text);
    CHECK(test::Parsed(std::string(text)).document().errors.size() == 1);
  }
}

TEST_CASE("A folded scalar that keeps its breaks keeps all of them") {
  CHECK(test::Parsed("a: >+\n  b\n  c\n\nd: 1\n").root().get("a").text() == "b c\n\n");
  CHECK(test::Parsed("a: >+\n  b\n").root().get("a").text() == "b\n");
}

TEST_CASE("A document of a tag alone is an empty text") {
  for (const char* text :
       {"!!str\n", "--- !a\n# c\n", "&a !!str # c\n", "!<tag:yaml.org,2002:str>"}) {
    CAPTURE(text);
    const test::Parsed parsed(text);
    REQUIRE(parsed.document().errors.empty());
    CHECK(parsed.root().text().empty());
    const auto value = read_kubernetes_scalar(parsed.root());
    REQUIRE(value);
    CHECK(value->type == KubernetesScalar::Type::string);
  }
}

TEST_CASE("A value that is only an anchor or a tag takes nothing of the next line") {
  const test::Parsed anchor("a: &x\n\n!!str b: 1\n");
  REQUIRE(anchor.document().errors.empty());
  CHECK(anchor.root().get("a").is_null());
  CHECK(anchor.root().get("a").anchor() == "x");
  const test::Parsed nothing("a:\n!!str b: 1\n");
  REQUIRE(nothing.document().errors.empty());
  CHECK(nothing.root().get("a").is_null());
  CHECK(nothing.root().get("a").tag().empty());
  const test::Parsed tag("a: !x\n\"b\": 1\nc: !x\n  \"\"\nd: !x ''\n");
  REQUIRE(tag.document().errors.empty());
  CHECK(written(tag, tag.root().get("a")).empty());
  CHECK(written(tag, tag.root().get("c")) == "\"\"");
  CHECK(written(tag, tag.root().get("d")) == "''");
}

TEST_CASE("A tab may stand behind an anchor or a tag") {
  CHECK(test::Parsed("- &a\tb: 1\n").root().items()[0].get("b").text() == "1");
  CHECK(test::Parsed("- !!map\t{b: 1}\n").root().items()[0].get("b").text() == "1");
  CHECK(test::Parsed("- &a\n\tb: 1\n").document().errors.size() == 1);
}

TEST_CASE("An anchor or a tag on a line of its own stands right of the key, as the value has to") {
  CHECK(test::Parsed("a:\n  !!seq\n- b\n").document().errors.empty());
  CHECK(test::Parsed("a: &x # c\n- b\n").document().errors.empty());
  for (const std::string_view text :
       {"a:\n!!seq\n- b\n", "a:\n&x\n- b\n", "a:\n!!map\nb: 1\n", "c:\n  a:\n  &x\n  - b\n",
        "a:\n&x\nb: 1\n", "a: &x\n{b: c}\n", "a: !x\n'b'\n", "a: !x\n\"\"\n"}) {
    INFO(text);
    CHECK(test::Parsed(std::string(text)).document().errors.size() == 1);
  }
}

TEST_CASE("One anchor and one tag stand before a block scalar, neither before an alias") {
  for (const std::string_view text :
       {"a: !!seq !!seq |\n  b\n", "a: &b, |-\n b\n", "a: !!map\n  !!str |\n  b\n", "a: & |\n  b\n",
        "a: &b *b\n*b: 1\n", "a: &b 1\nc: !x *b\n*b: 1\n"}) {
    INFO(text);
    CHECK(test::Parsed(std::string(text)).document().errors.size() == 1);
  }
}

TEST_CASE("A question mark in a comment makes no key of the next line") {
  CHECK(test::Parsed("z: 1\nb: # c?\nd\n").document().errors.size() == 1);
  CHECK(test::Parsed("z: 1\n? b\n").document().errors.empty());
}

TEST_CASE("A key between braces may be followed by a line break") {
  CHECK(test::Parsed("{a\n}\n").root().get("a").is_null());
  CHECK(test::Parsed("{\"a b\"\n, b: {c: d, e\n  }}\n").root().at("b", "c").text() == "d");
  CHECK(test::Parsed("{a  # c\n # d\n}\n").root().get("a").is_null());
  CHECK(test::Parsed("{a\n: b}\n").document().errors.size() == 1);  // Go's reader: in JSON only
}

TEST_CASE("JSON stays JSON with a comment behind it") {
  const test::Parsed parsed("{\"a\"\n : {\"b\"\n : 1}}\n# c\n# d\n");
  REQUIRE(parsed.document().errors.empty());
  CHECK(parsed.root().at("a", "b").text() == "1");
  CHECK(parsed.document().comments.size() == 2);
  CHECK(test::Parsed("{\"a\"\n : 1}\n# c\nb: 1\n").document().errors.size() == 1);
}

TEST_CASE("What stands above JSON is no part of it") {
  const auto errors = [](const std::string& text) {
    return test::Parsed(text).document().errors.size();
  };
  CHECK(errors("%TAG !e! tag:e,2000:\n---\n{\"a\": 1}\n") == 1);
  CHECK(errors("# c\n%YAML 2.0\n---\n{\"a\": 1}\n") == 1);
  CHECK(errors("...\n{\"a\": 1}\n") == 1);
  CHECK(errors("---\n\t{\"a\": 1}\n") == 1);
  CHECK(errors("---\n{\"a\": 1}\n\t\n") == 1);
  CHECK(errors("---\n{\"a\": 1}\t\n") == 0);
  CHECK(errors("{\"a\": 1}\n\t\n") == 0);
  CHECK(errors("# 100%\n---\n{\"a\": 1}\n") == 0);
}

TEST_CASE("Blanks before a first brace are no indentation up to the end of their line") {
  const test::Parsed parsed("\t{\"a\": {b: 1}}\n");
  REQUIRE(parsed.document().errors.empty());
  CHECK(parsed.root().at("a", "b").text() == "1");
  CHECK(written(parsed, parsed.root()) == "{\"a\": {b: 1}}");
  CHECK(test::Parsed("\t{\"a\": }").document().errors.empty());
  CHECK(test::Parsed("\t\n {a: 1}\n").document().errors.empty());
  CHECK(test::Parsed("\t\n\t{a: 1}\n").document().errors.size() == 1);
  CHECK(test::Parsed("---\n\t{a: 1}\n").document().errors.size() == 1);
}

TEST_CASE("A question mark before a key between brackets needs no blank") {
  const test::Parsed parsed("a: {?b: 1, ?\"c\": 2,\n  ?d, e: [f, ?g: 3]} # ?\n");
  REQUIRE(parsed.document().errors.empty());
  const Node a = parsed.root().get("a");
  CHECK(a.get("b").text() == "1");
  CHECK(a.get("c").text() == "2");
  CHECK(a.get("d").is_null());
  CHECK(written(parsed, a.get("e")) == "[f, ?g: 3]");
  for (const char* text :
       {"a: {??b: 1}\n", "a: {b?: 1}\n", "a: {b: ?c}\n", "a: {b\n  ?c: 1}\n", "a: [?b]\n"}) {
    CAPTURE(text);
    CHECK_FALSE(test::Parsed(text).document().errors.empty());
  }
}

TEST_CASE("Behind a question mark the colon of a key between brackets may stand on the next line") {
  const test::Parsed parsed("a: {?b\n  : 1, ?\"c\" # ?\n\n  : 2,\n  ?d e\n  : [f, ?g\n  : 3]}\n");
  REQUIRE(parsed.document().errors.empty());
  const Node a = parsed.root().get("a");
  CHECK(a.get("b").text() == "1");
  CHECK(a.get("c").text() == "2");
  CHECK(written(parsed, a.get("d e")) == "[f, ?g\n  : 3]");
  CHECK(written(parsed, a.get("b").key()) == "b");
  CHECK(parsed.document().comments.size() == 1);
  for (const char* text : {"a: {b\n  : 1}\n", "a: {?b: 1, c\n  : 1}\n", "a: [?b, c\n  : 1]\n"}) {
    CAPTURE(text);
    CHECK_FALSE(test::Parsed(text).document().errors.empty());
  }
}

TEST_CASE("Indentation at the end of a text adds nothing to a folded scalar") {
  CHECK(test::Parsed("a: >\n  b \n  ").root().get("a").text() == "b \n");
  CHECK(test::Parsed("a: >-\n  b\n  ").root().get("a").text() == "b");
  CHECK(test::Parsed("a: >\n  b \n").root().get("a").text() == "b \n");
}

TEST_CASE("A blank ends a verbatim tag") {
  CHECK(test::Parsed("a: !<tag:yaml.org,2002:str> b\n").document().errors.empty());
  CHECK(test::Parsed("a: !<tag:yaml.org,2002:str>b\n").document().errors.size() == 1);
}

TEST_CASE("What follows a tag that runs into a bracket is found where it stands") {
  const test::Parsed parsed("a: ![x/y]\nb: c\n");
  REQUIRE(parsed.document().errors.size() == 1);
  CHECK(parsed.sources().text(parsed.document().errors[0].span) == "![x/y]");
  CHECK(written(parsed, parsed.root().get("b")) == "c");
}

TEST_CASE("What only Go's readers refuse is told from what all refuse") {
  using Kind = SyntaxError::Kind;
  const auto kind = [](const std::string& text) {
    const test::Parsed parsed(text);
    return parsed.document().errors.empty() ? Kind::limit : parsed.document().errors[0].kind;
  };
  CHECK(kind("a: \"x\\/y\"\n") == Kind::dialect);
  CHECK(kind("a: &x.y 1\n") == Kind::dialect);
  CHECK(kind("a: \"x\\qy\"\n") == Kind::syntax);
  CHECK(kind("a: \"x\\/y\"\nb: [\n") == Kind::syntax);
  CHECK(test::Parsed("{\"a\": \"x\\/y\"}").root().get("a").text() == "x/y");
}

TEST_CASE("Lines that Terraform or a shell fills in make broken text a template") {
  const auto mark = [](const std::string& text) -> std::string {
    const test::Parsed parsed(text);
    if (!parsed.document().is_template) return "no template";
    return std::string(parsed.sources().text(parsed.document().template_mark));
  };
  CHECK(mark("a:\n  b: 1\n  ${indent(4, x)}\nc: 2\n") == "${indent(4, x)}");
  CHECK(mark("a:\n- 1\n$OPTIONS\nc: 2\n") == "$OPTIONS");
  CHECK(mark("a: ${jsonencode({b: \"c\"})}\n") == "a: ${jsonencode({b: \"c\"})}");
  CHECK(mark("a: $HOME\nb: [\n") == "no template");
}

TEST_CASE("A placeholder without which text is no YAML is kept in mind") {
  const test::Parsed parsed("a: ${fine}\nimage: {user}/x\nb: 1\n");
  REQUIRE(parsed.document().errors.empty());
  CHECK(parsed.document().has_masked_placeholders);
  CHECK(parsed.sources().text(parsed.document().template_mark) == "{user}");
  CHECK(parsed.root().get("b").text() == "1");
}

}  // namespace gpulint
