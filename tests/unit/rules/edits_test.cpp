#include "compiler/edit/edits.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/edit/fixer.h"
#include "compiler/edit/move_entry.h"
#include "frontend/yaml_parser.h"
#include "tests/unit/rules/document.h"

namespace {

using namespace gpulint;

using Text = test::YamlText;

std::string inserted(const std::string& yaml, const std::vector<std::string_view>& path,
                     std::string_view key, std::string_view value) {
  const Text text(yaml);
  Node at = text.root();
  for (const std::string_view step : path) {
    at = at.is_sequence() ? at.items()[0] : at.get(step);
  }
  return text.after(insert_entry(text.sources(), at, key, value));
}

std::string removed(const std::string& yaml, std::string_view outer, std::string_view key) {
  const Text text(yaml);
  return text.after(remove_entry(text.sources(), text.root().at(outer, key)));
}

std::string removed_item(const std::string& yaml, std::string_view list, std::size_t index) {
  const Text text(yaml);
  return text.after(remove_entry(text.sources(), text.root().get(list).children()[index]));
}

}  // namespace

TEST_CASE("insert_entry takes the neighbours' indentation") {
  CHECK(inserted("a:\n    x: 1  # one\nb: 2\n", {"a"}, "k", "2") ==
        "a:\n    x: 1  # one\n    k: 2\nb: 2\n");
  CHECK(inserted("a:\n- x: 1\n  z: 3\n", {"a", "0"}, "k", "2") == "a:\n- x: 1\n  z: 3\n  k: 2\n");
  CHECK(inserted("a:\n  x: 1", {"a"}, "k", "2") == "a:\n  x: 1\n  k: 2");
  CHECK(inserted("a:\r\n  x: 1\r\nb: 2\r\n", {"a"}, "k", "2") ==
        "a:\r\n  x: 1\r\n  k: 2\r\nb: 2\r\n");
}

TEST_CASE("insert_entry writes nested blocks relative to the key") {
  CHECK(inserted("a:\n  x: 1\n", {"a"}, "list", "\n- k: v\n  e: f") ==
        "a:\n  x: 1\n  list:\n  - k: v\n    e: f\n");
}

TEST_CASE("insert_entry knows flow style, empty mappings and nulls") {
  CHECK(inserted("a: {x: 1}\n", {"a"}, "k", "2") == "a: {x: 1, k: 2}\n");
  CHECK(inserted("a: {}\n", {"a"}, "k", "2") == "a: {k: 2}\n");
  CHECK(inserted("a:\nb: 1\n", {"a"}, "k", "2") == "a:\n  k: 2\nb: 1\n");
  CHECK(inserted("a:  # none yet\nb: 1\n", {"a"}, "k", "2") == "a:  # none yet\n  k: 2\nb: 1\n");
  CHECK(inserted("a: {x: 1}\n", {"a"}, "y", "\n- b") == "no edit");
  CHECK(inserted("{\"a\": {\"x\": 1}}\n", {"a"}, "k", "2") == "{\"a\": {\"x\": 1, \"k\": 2}}\n");
}

TEST_CASE("insert_entry fills a key that has no value and doubles none") {
  CHECK(inserted("a:\n  k:  # later\n  x: 1\n", {"a"}, "k", "2") ==
        "a:\n  k: 2  # later\n  x: 1\n");
  CHECK(inserted("a:\n  k: null\n", {"a"}, "k", "2") == "a:\n  k: 2\n");
  CHECK(inserted("a:\n  k: ~ # later\n  x: 1\n", {"a"}, "k", "\n- b") ==
        "a:\n  k: # later\n  - b\n  x: 1\n");
  CHECK(inserted("a:\n  k:  # later\n  x: 1\n", {"a"}, "k", "\n- b") ==
        "a:\n  k:  # later\n  - b\n  x: 1\n");
  CHECK(inserted("a: {k: ~, x: 1}\n", {"a"}, "k", "2") == "a: {k: 2, x: 1}\n");
  CHECK(inserted("a: {k: ~}\n", {"a"}, "k", "\n- b") == "no edit");
  CHECK(inserted("a:\n  k: 1\n", {"a"}, "k", "2") == "no edit");
}

TEST_CASE("Nothing is edited where there is no node") {
  const Text text("a: 1\n");
  const Node none = text.root().get("b");
  CHECK(replace_string(text.sources(), none, "x").empty());
  CHECK(replace_raw(text.sources(), none, "x").empty());
  CHECK(quote(text.sources(), none).empty());
  CHECK(remove_entry(text.sources(), none).empty());
  CHECK(insert_entry(text.sources(), none, "k", "x").empty());
  CHECK(insert_before(text.sources(), none, "k", "x").empty());
  CHECK(nest_from(text.sources(), none, "k").empty());
  CHECK(append_item(text.sources(), none, {"k: x"}).empty());
  CHECK(append_items_of(text.sources(), none, none).empty());
}

TEST_CASE("insert_entry goes behind a block scalar but not into kept line breaks") {
  CHECK(inserted("a:\n  x: |\n    text\nb: 1\n", {"a"}, "k", "2") ==
        "a:\n  x: |\n    text\n  k: 2\nb: 1\n");
  CHECK(inserted("a:\n  x: |+\n    text\n\nb: 1\n", {"a"}, "k", "2") == "no edit");
}

TEST_CASE("remove_entry takes whole lines and leaves comments") {
  CHECK(removed("a:\n  x: 1\n  y: 2\n", "a", "x") == "a:\n  y: 2\n");
  CHECK(removed("a:\n  x: 1\n  y: 2\n", "a", "y") == "a:\n  x: 1\n");
  CHECK(removed("a:\n  x: 1  # why\n  y: 2\n", "a", "x") == "a:\n  # why\n  y: 2\n");
  CHECK(removed("a:\n  x:\n    deep: 1\n    # inner\n    more: 2\n  y: 2\n", "a", "x") ==
        "a:\n  # inner\n  y: 2\n");
  // Deeper, the comment would belong to the text above it.
  CHECK(removed("a:\n  w: |\n    text\n  x:\n    # inner\n    deep: 1\n  y: 2\n", "a", "x") ==
        "a:\n  w: |\n    text\n  # inner\n  y: 2\n");
}

TEST_CASE("remove_entry leaves an empty collection behind the last entry") {
  CHECK(removed("a:\n  x: 1\nb: 2\n", "a", "x") == "a: {}\nb: 2\n");
  CHECK(removed("a: {x: 1}\n", "a", "x") == "a: {}\n");
}

TEST_CASE("remove_entry takes one comma in flow style") {
  CHECK(removed("a: {x: 1, y: 2}\n", "a", "x") == "a: {y: 2}\n");
  CHECK(removed("a: {x: 1, y: 2}\n", "a", "y") == "a: {x: 1}\n");
}

TEST_CASE("remove_entry of the first entry of an item keeps the dash") {
  const Text text("a:\n- x: 1\n  y: 2\n");
  const Node item = text.root().get("a").items()[0];
  CHECK(text.after(remove_entry(text.sources(), item.get("x"))) == "a:\n- y: 2\n");
}

TEST_CASE("remove_entry removes items with their dash") {
  CHECK(removed_item("a:\n- x: 1\n  y: 2\n- z: 3\n", "a", 0) == "a:\n- z: 3\n");
  CHECK(removed_item("a:\n- x: 1\n  y: 2\n- z: 3\n", "a", 1) == "a:\n- x: 1\n  y: 2\n");
  CHECK(removed_item("a:\n- x\n", "a", 0) == "a: []\n");
  CHECK(removed_item("a: [x, y, z]\n", "a", 1) == "a: [x, z]\n");
}

TEST_CASE("remove_entry does not remove an anchor that others may use") {
  CHECK(removed("a:\n  x: &one 1\n  y: *one\n", "a", "x") == "no edit");
}

TEST_CASE("append_item aligns with the first dash") {
  const Text text("a:\n  - k: 1  # one\nb: 2\n");
  CHECK(text.after(append_item(text.sources(), text.root().get("a"), {"k: 2", "v: 3"})) ==
        "a:\n  - k: 1  # one\n  - k: 2\n    v: 3\nb: 2\n");
  const Text flow("a: [{k: 1}]\n");
  CHECK(flow.after(append_item(flow.sources(), flow.root().get("a"), {"k: 2"})) ==
        "a: [{k: 1}, {k: 2}]\n");
}

TEST_CASE("replace_string keeps the quoting and quotes what would be read otherwise") {
  const Text text("a: 'x'\nb: \"x\"\nc: x\n");
  const auto replaced = [&](std::string_view key, std::string_view value) {
    return text.after(replace_string(text.sources(), text.root().get(key), value));
  };
  CHECK(replaced("a", "it's") == "a: 'it''s'\nb: \"x\"\nc: x\n");
  CHECK(replaced("b", "q\"") == "a: 'x'\nb: \"q\\\"\"\nc: x\n");
  CHECK(replaced("c", "true") == "a: 'x'\nb: \"x\"\nc: \"true\"\n");
  CHECK(replaced("c", "nvidia.com/gpu") == "a: 'x'\nb: \"x\"\nc: nvidia.com/gpu\n");
}

TEST_CASE("quote keeps the author's spelling") {
  const Text text("a: yes\nb:\nc: 010\n");
  const auto quoted = [&](std::string_view key) {
    return text.after(quote(text.sources(), text.root().get(key)));
  };
  CHECK(quoted("a") == "a: \"yes\"\nb:\nc: 010\n");
  CHECK(quoted("b") == "a: yes\nb: \"\"\nc: 010\n");
  CHECK(quoted("c") == "a: yes\nb:\nc: \"010\"\n");
}

TEST_CASE("edits inside a ConfigMap's literal block keep its indentation") {
  SourceSet sources;
  sources.add("cm.yaml", "kind: ConfigMap\ndata:\n  a.yaml: |\n    x:\n      y: 1\n    z: 2\n");
  const auto outer = parse_file(sources.file(0));
  const Node scalar = root(*outer[0]).at("data", "a.yaml");
  const auto inner = parse_embedded(scalar, sources.file(0));
  REQUIRE(inner.size() == 1);
  const auto edits = insert_entry(sources, root(*inner[0]).get("x"), "w", "3");
  CHECK(apply_edits(sources.file(0).text(), edits) ==
        "kind: ConfigMap\ndata:\n  a.yaml: |\n    x:\n      y: 1\n      w: 3\n    z: 2\n");
}

TEST_CASE("text inside a quoted string is not edited") {
  SourceSet sources;
  sources.add("cm.yaml", "kind: ConfigMap\ndata:\n  a.yaml: \"x: {y: 1}\\n\"\n");
  const auto outer = parse_file(sources.file(0));
  const auto inner = parse_embedded(root(*outer[0]).at("data", "a.yaml"), sources.file(0));
  REQUIRE(inner.size() == 1);
  CHECK(insert_entry(sources, root(*inner[0]).get("x"), "w", "3").empty());
}

TEST_CASE("move_out takes an entry with its comments out of its mapping") {
  const auto moved = [](const std::string& yaml) {
    const Text text(yaml);
    return text.after(move_out(text.sources(), text.root().at("metadata", "spec")));
  };
  CHECK(moved("metadata:\n  name: a\n  # why\n  spec:  # it\n    a: 1\n\n    # b\n    b: |\n      "
              "x\n") ==
        "metadata:\n  name: a\n  # why\nspec:  # it\n  a: 1\n\n  # b\n  b: |\n    x\n");
  CHECK(moved("metadata:\n  spec:\n    a: 1\n  name: a\nkind: Pod\n") ==
        "metadata:\n  name: a\nspec:\n  a: 1\nkind: Pod\n");
  CHECK(moved("metadata:\n  spec: {a: 1}\n  name: a") == "metadata:\n  name: a\nspec: {a: 1}");
  CHECK(moved("metadata:\n  name: a\n  spec: {a: 1}") == "metadata:\n  name: a\nspec: {a: 1}");
  CHECK(moved("metadata:\n  name: a\n  spec:\n    a: 1\n# less\n    b: 1\n") ==
        "metadata:\n  name: a\nspec:\n  a: 1\n# less\n  b: 1\n");
  for (const std::string kept : {"metadata: {name: a, spec: {}}\n", "metadata:\n  spec: {}\n",
                                 "metadata:\n  name: a\n  spec: {}\nspec: {}\n"}) {
    CHECK(moved(kept) == "no edit");
  }
}

TEST_CASE(
    "insert_before takes the line of its neighbour, or the end where a comment owns that line") {
  const auto before_b = [](const std::string& yaml) {
    const Text text(yaml);
    return text.after(insert_before(text.sources(), text.root().at("x", "b"), "k", "\n  v: 1"));
  };
  CHECK(before_b("x:\n  a: 1\n  b: 2\n") == "x:\n  a: 1\n  k:\n    v: 1\n  b: 2\n");
  CHECK(before_b("x:\n  # about b\n  b: 2\nz: 3\n") ==
        "x:\n  # about b\n  b: 2\n  k:\n    v: 1\nz: 3\n");
  CHECK(before_b("x: {a: 1, b: 2}\n") == "no edit");
  const Text flow("x: {a: 1, b: 2}\n");
  CHECK(flow.after(insert_before(flow.sources(), flow.root().at("x", "b"), "k", "{v: 1}")) ==
        "x: {a: 1, k: {v: 1}, b: 2}\n");
}

TEST_CASE("nest_from moves an entry and those after it below a new key") {
  const auto nested = [](const std::string& yaml) {
    const Text text(yaml);
    return text.after(nest_from(text.sources(), text.root().get("x").items()[0].get("b"), "k"));
  };
  CHECK(nested("x:\n- a: 1\n  b: 2 # two\n\n  c: |\n    text\ny: 3\n") ==
        "x:\n- a: 1\n  k:\n    b: 2 # two\n\n    c: |\n      text\ny: 3\n");
  CHECK(nested("x: [{a: 1, b: 2, c: [3]}]\n") == "x: [{a: 1, k: {b: 2, c: [3]}}]\n");
  CHECK(nested("x:\n- b: 2\n  c: 3\n") == "no edit");
  CHECK(nested("x:\r\n- a: 1\r\n  b: 2\r\n") == "x:\r\n- a: 1\r\n  k:\r\n    b: 2\r\n");
}
