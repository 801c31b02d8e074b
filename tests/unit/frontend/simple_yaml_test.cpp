#include "frontend/simple_yaml.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "frontend/stream.h"

// That it makes the same tree as yaml-cpp of whatever it takes is for tests/fuzz/simple_yaml.cpp.
namespace gpulint {
namespace {

/// Whether it takes all documents of a stream.
[[nodiscard]] bool takes(std::string_view text) {
  const auto documents = split_stream(text);
  return !documents.empty() && std::ranges::all_of(documents, [&](const DocumentText& where) {
    Document document;
    return read_simple_yaml(text, where, document);
  });
}

}  // namespace

TEST_CASE("Simple YAML is what manifests are written in") {
  CHECK(takes("a: b\nc:\n  d: 1\n"));
  CHECK(takes("# top\n---  # marker\na: b  # why\n\n  # deeper\nc: d"));
  CHECK(takes("- a\n- b: c\n  d: e\n- - f\n  - g\n-\n  h: i\n-\n"));
  CHECK(takes("tolerations:\n- key: nvidia.com/gpu\n  operator: Exists\ncontainers: []\n"));
  CHECK(takes("'a b': \"c\\n\"\n\"d\" : 'it''s'\n"));
  CHECK(takes("args: [--flag=1, \"x\", {k: v, l: [1, 2]}]\nempty: {}\nbelow:\n  {}\n"));
  CHECK(takes("script: |\n  if true; then\n\n    x\n  fi\nnext: >-\n  one\n  two\n"));
  CHECK(takes("image: nvcr.io/nvidia/cuda:12.0\nurl: http://a#b\narn: a::b\n"));
}

TEST_CASE("What is not simple is left to the whole parser") {
  for (const std::string_view text :
       {"a: &x b\n", "a: *x\n", "a: !!str 1\n", "? a\n", "a: b\n  c\n", "a: 'b\n  c'\n", "\ta: b\n",
        "a: b\r\n", "a: [\n  b]\n", "a: |+\n  b\n", "a: |2\n  b\n", "a: >\n  b\n\n  c\n", "text\n",
        "{a: b}\n", "a: \xE2\x80\xA8\n", "a: {b}\n", "a: [b: c]\n", ""}) {
    CAPTURE(text);
    CHECK(!takes(text));
  }
}

TEST_CASE("What is wrong is left to the whole parser") {
  for (const std::string_view text :
       {"a: b: c\n", "a: b\n: c\n", "a: b\n c: d\n", "  a: b\nc: d\n", "a: @b\n", "a: [b\n",
        "a: \"b\n", "a: b\n- c\n", "a: \"b\" c\n", "a: |\n  b\n c\n", "a: %b\n", "a: [b,, c]\n",
        "a: \"\\q\"\n"}) {
    CAPTURE(text);
    CHECK(!takes(text));
  }
}

TEST_CASE("Nothing stays in the document where the text is not simple") {
  const std::string text = "# c\na: \"x\\ty\"\nb: &x c\n";
  Document document;
  CHECK(!read_simple_yaml(text, split_stream(text)[0], document));
  CHECK(document.nodes.empty());
  CHECK(document.comments.empty());
  CHECK(document.strings.empty());
  CHECK(document.root == no_node);
}

}  // namespace gpulint
