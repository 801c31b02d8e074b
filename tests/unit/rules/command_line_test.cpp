#include "rules/support/command_line.h"

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/unit/rules/document.h"

namespace {

using namespace gpulint;
using test::YamlText;

std::vector<std::string> values(const std::string& yaml) {
  const YamlText text(yaml);
  std::vector<std::string> found;
  for (const rules::FlagUse& use : rules::find_flag(text.sources(), text.root(), "gates")) {
    found.emplace_back(text.text(use.value));
  }
  return found;
}

/// Removes the item of the first use; the whole flag for index -1.
std::string without(const std::string& yaml, int index) {
  const YamlText text(yaml);
  const auto uses = rules::find_flag(text.sources(), text.root(), "gates");
  REQUIRE_FALSE(uses.empty());
  if (index < 0) return text.after(rules::remove_flag(text.sources(), uses.front()));
  const std::vector<Span> items = rules::flag_items(text.sources(), uses.front());
  return text.after(rules::remove_flag_item(text.sources(), uses.front(), items,
                                            static_cast<std::size_t>(index)));
}

}  // namespace

TEST_CASE("a flag is found as an argument, as two arguments, as a key, in scripts") {
  CHECK(values("args: [--gates=a=1, --other=b]") == std::vector<std::string>{"a=1"});
  CHECK(values("args: [--gates, 'a=1,b=2']") == std::vector<std::string>{"a=1,b=2"});
  CHECK(values("extraArgs: {gates: \"a=1\"}") == std::vector<std::string>{"a=1"});
  CHECK(
      values(
          "x: |\n  kubelet --gates='a=1 , b=2' --v=2\n  kubelet --gates \"c=3\"; --gates=d=4\n") ==
      std::vector<std::string>{"a=1 , b=2", "c=3", "d=4"});
  CHECK(values("x: \"kubelet --gates=\\\"a=1\\\" x\"") == std::vector<std::string>{"a=1"});
}

TEST_CASE("what only looks like the flag is none") {
  CHECK(values("args: [--gates-file=a=1, -gates=b, --gates]").empty());
  CHECK(values("args: [[--gates], a=1]").empty());
  CHECK(values("- --gates\n").empty());
}

TEST_CASE("an unclosed quote ends with the scalar, and nothing is read beyond it") {
  CHECK(values("x: \"--gates='a=1\"\ny: b=2'\n") == std::vector<std::string>{"a=1"});
}

TEST_CASE("items are parted by commas and trimmed") {
  const YamlText text("x: '--gates=\" a=1 ,b=2,,\"'");
  const auto uses = rules::find_flag(text.sources(), text.root(), "gates");
  REQUIRE(uses.size() == 1);
  std::vector<std::string> items;
  for (const Span item : rules::flag_items(text.sources(), uses[0])) {
    items.emplace_back(text.text(item));
  }
  CHECK(items == std::vector<std::string>{"a=1", "b=2"});
}

TEST_CASE("removing an item takes one comma with it") {
  CHECK(without("x: kubelet --gates=a=1,b=2,c=3 y", 0) == "x: kubelet --gates=b=2,c=3 y");
  CHECK(without("x: kubelet --gates=a=1,b=2,c=3 y", 1) == "x: kubelet --gates=a=1,c=3 y");
  CHECK(without("x: kubelet --gates=a=1,b=2,c=3 y", 2) == "x: kubelet --gates=a=1,b=2 y");
}

TEST_CASE("removing the only item removes the flag, and with it what held only the flag") {
  CHECK(without("x: kubelet --gates='a=1' y", 0) == "x: kubelet y");
  CHECK(without("x: kubelet --gates=a=1 y", -1) == "x: kubelet y");
  CHECK(without("args: [run, --gates=a=1, y]", 0) == "args: [run, y]");
  CHECK(without("args:\n- run\n- --gates\n- a=1\n", 0) == "args:\n- run\n");
  CHECK(without("extraArgs:\n  gates: a=1\n  v: 2\n", 0) == "extraArgs:\n  v: 2\n");
}
