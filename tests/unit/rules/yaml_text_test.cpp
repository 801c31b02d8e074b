#include <string>

#include <catch2/catch.hpp>

#include "compiler/edit/edits.h"
#include "tests/unit/rules/document.h"

namespace {

using namespace gpulint;
using test::YamlText;

std::string block(const std::string& yaml) { return block_text(YamlText(yaml).root()); }
std::string flow(const std::string& yaml) { return flow_text(YamlText(yaml).root()); }

}  // namespace

TEST_CASE("block text stands below a key in column 0") {
  CHECK(block(R"({"a": {"b": [1, {"c": "x y", "d": []}]}, "e": {}})") ==
        "\n  a:\n    b:\n    - 1\n    - c: \"x y\"\n      d: []\n  e: {}");
  CHECK(block(R"([{"key": "gpu", "operator": "Exists"}, {"key": "on"}])") ==
        "\n- key: gpu\n  operator: Exists\n- key: \"on\"");
  CHECK(block("[[1, 2], 3]") == "\n- - 1\n  - 2\n- 3");
  CHECK(block("text") == "text");
}

TEST_CASE("strings are quoted where Kubernetes would read something else, other scalars are kept") {
  CHECK(flow(R"({a: "1", b: 1, c: "true", d: true, e: 'x: y', f: ~, g: })") ==
        R"({a: "1", b: 1, c: "true", d: true, e: "x: y", f: ~, g: null})");
}

TEST_CASE("scalars can be rewritten on the way") {
  const YamlText text("{key: old, values: [a b]}");
  const Rewrite rewrite = [](Node scalar) -> std::optional<std::string> {
    if (scalar.text() == "old") return "new";
    return std::nullopt;
  };
  CHECK(flow_text(text.root(), rewrite) == R"({key: new, values: ["a b"]})");
  CHECK(block_text(text.root(), rewrite) == "\n  key: new\n  values:\n  - \"a b\"");
}
