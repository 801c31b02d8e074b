#include "compiler/ir/node.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string shown(const std::vector<Node::Entry>& entries) {
  std::string result;
  for (const Node::Entry& entry : entries) {
    result += fmt::format("{}={} ", entry.key.text(), entry.value.text());
  }
  return result;
}

}  // namespace

TEST_CASE("Every question may be asked of nothing") {
  const Node nothing;
  CHECK_FALSE(nothing);
  CHECK(nothing.get("a").at("b", "c").text().empty());
  CHECK(nothing.items().empty());
  CHECK(nothing.fields().empty());
  CHECK(nothing.parent() == Node{});
}

TEST_CASE("The last of equal keys wins, the entries as written keep both") {
  const test::Parsed parsed("a: 1\nb: 2\na: 3\n");
  CHECK(parsed.root().get("a").text() == "3");
  CHECK(shown(parsed.root().fields()) == "b=2 a=3 ");
  CHECK(shown(parsed.root().entries()) == "a=1 b=2 a=3 ");
}

TEST_CASE("fields() of a large mapping keeps the last of equal keys, too") {
  std::string text = "a: 0\nb: 0\n";
  std::string expected = "b=0 ";
  for (int i = 0; i < 20; ++i) {
    text += fmt::format("k{}: {}\n", i, i);
    expected += fmt::format("k{}={} ", i, i);
  }
  const test::Parsed parsed(text + "a: 1\n");
  CHECK(shown(parsed.root().fields()) == expected + "a=1 ");
}

TEST_CASE("value() of a key is the alias that is written there") {
  const test::Parsed parsed("x: &one 1\ny: *one\n");
  const std::vector<Node::Entry> entries = parsed.root().entries();
  const Node key = entries[1].key;
  CHECK(key.value().is_alias());
  CHECK(key.value().key() == key);
  CHECK(!key.value().value());
  CHECK(!parsed.root().value());
  CHECK(!Node().value());
}

TEST_CASE("A merge counts where it stands: what is written later overrides") {
  const test::Parsed parsed(
      "base: &base {gpu: 1, zone: a}\nbefore: {<<: *base, gpu: 2}\nafter: {gpu: 2, <<: *base}\n");
  CHECK(parsed.root().at("before", "gpu").text() == "2");
  CHECK(parsed.root().at("before", "zone").text() == "a");
  CHECK(parsed.root().at("after", "gpu").text() == "1");
  CHECK(shown(parsed.root().get("before").fields()) == "zone=a gpu=2 ");
}

TEST_CASE("Of several merged mappings the first wins") {
  const test::Parsed parsed("a: &a {k: 1}\nb: &b {k: 2, l: 3}\nc: {<<: [*a, *b]}\n");
  CHECK(parsed.root().at("c", "k").text() == "1");
  CHECK(parsed.root().at("c", "l").text() == "3");
}

TEST_CASE("A quoted key and an alias to it merge nothing") {
  const test::Parsed parsed("k: &k <<\na: {\"<<\": {x: 1}}\n? *k\n: {y: 2}\n");
  CHECK_FALSE(parsed.root().at("a", "x"));
  CHECK(parsed.root().at("a", "<<", "x").text() == "1");
  CHECK_FALSE(parsed.root().get("y"));
}

TEST_CASE("Merges of merges and circles are read once") {
  std::string text = "m0: &m0 {k: v}\n";
  for (int i = 1; i < 6; ++i) {
    text += fmt::format("m{}: &m{} {{<<: [*m{}, *m{}]}}\n", i, i, i - 1, i - 1);
  }
  const test::Parsed parsed(text);
  CHECK(parsed.root().at("m5", "k").text() == "v");
  CHECK_FALSE(parsed.root().at("m5", "missing"));
  CHECK(parsed.root().get("m5").fields().size() == 1);
  const test::Parsed circle("a: &a {<<: *a, k: v}\n");
  CHECK(circle.root().at("a", "k").text() == "v");
  CHECK_FALSE(circle.root().at("a", "l"));
}

TEST_CASE("Aliases are followed by readers and met, not followed, by walks") {
  const test::Parsed parsed("a: &a [1, 2]\nb: *a\n");
  CHECK(parsed.root().get("b").items().size() == 2);
  int aliases = 0;
  int numbers = 0;
  walk(parsed.root(), [&](Node node) {
    if (node.is_alias()) ++aliases;
    if (node.text() == "1" || node.text() == "2") ++numbers;
  });
  CHECK(aliases == 1);
  CHECK(numbers == 2);
}

TEST_CASE("Spans of entries reach from key to value") {
  const test::Parsed parsed("spec: {gpu: \"1\"}  # one\n");
  const Node value = parsed.root().at("spec", "gpu");
  CHECK(value.span() == Span{0, 12, 15});
  CHECK(value.key_span() == Span{0, 7, 10});
  CHECK(value.entry_span() == Span{0, 7, 15});
}

}  // namespace gpulint
