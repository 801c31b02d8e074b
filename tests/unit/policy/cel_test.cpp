#include <catch2/catch.hpp>

#include "compiler/engine/rule_policy.h"
#include "compiler/ir/yaml_string.h"
#include "compiler/policy/cel_text.h"
#include "compiler/policy/compose.h"
#include "compiler/policy/write_policies.h"

namespace gpulint {

TEST_CASE("blocks of a CEL file lose their margin and their comments") {
  const auto blocks = read_cel_blocks(
      "# why\n\nneeds: nodes, runtime-class\nfinding:\n  a\n    ? b\n\n  : c\n\n# more\nlast: x\n");
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[0].key == "needs");
  CHECK(blocks[1].text == "a\n  ? b\n\n: c");
  CHECK(blocks[2].text == "x");
}

TEST_CASE("a rule's policy is read, or refused") {
  const RulePolicy policy = read_rule_policy(
      "on: nodes\nneeds: nodes, runtime-class\nlooks-at: requests\ndeny: never\npartly: Some.\n"
      "finding:\n  ''\n");
  CHECK(policy.problem == "");
  CHECK(policy.on == RulePolicy::On::nodes);
  CHECK(policy.needs == std::vector<std::string>{"nodes", "runtime-class"});
  CHECK_FALSE(policy.may_deny);
  CHECK(policy_note(policy) ==
        "The command `gpulint policy` creates an admission policy for a part of this rule. Some.");
  CHECK(policy_note(read_rule_policy("none: It is a file.\n")) ==
        "The command `gpulint policy` creates no admission policy for this rule.");
  CHECK(read_rule_policy("").problem != "");
  CHECK(read_rule_policy("none: a\nfinding: b\n").problem != "");
  CHECK(read_rule_policy("finding: ''\non: moons\n").problem != "");
  CHECK(read_rule_policy("finding: ''\nneed: nodes\n").problem != "");
}

namespace policy {

TEST_CASE("CEL literals") {
  CHECK(cel_string("it's a \\ and\n") == R"('it\'s a \\ and\x0a')");
  CHECK(cel_double(8) == "8.0");
  CHECK(cel_double(15.89) == "15.89");
  CHECK(cel_double(137438953472) == "137438953472.0");
  const std::vector<std::string> names(40, "nvidia.com/gpu");
  const std::string list = cel_list(names);
  CHECK(list.find('\n') != std::string::npos);
  CHECK(cel_list({}) == "[]");
}

TEST_CASE("variables that an expression names") {
  CHECK(used_variables("variables.a_b + variables.cD.e + variables.a_b") ==
        std::vector<std::string>{"a_b", "cD"});
}

TEST_CASE("shared variables stand on those before them, and on what is given") {
  const std::set<std::string> given{"facts",    "accelerators", "migProfiles",
                                    "measures", "legacyLabels", "slips"};
  std::set<std::string> known = given;
  for (const CelBlock& block : shared_variables()) {
    CAPTURE(std::string(block.key));
    for (const std::string& name : used_variables(block.text)) {
      CAPTURE(name);
      CHECK(known.contains(name));
    }
    CHECK(known.emplace(block.key).second);
  }
}

TEST_CASE("YAML scalars read back as the same strings") {
  CHECK(yaml_string("apps") == "apps");
  CHECK(yaml_string("../base") == "../base");
  CHECK(yaml_string(".5") == "\".5\"");
  CHECK(yaml_string("") == "\"\"");
  CHECK(yaml_string("on") == "\"on\"");
  CHECK(yaml_string("1.5") == "\"1.5\"");
  CHECK(yaml_string("a: \"b\"") == R"("a: \"b\"")");
}

TEST_CASE("texts of several lines are literal blocks") {
  YamlLines yaml;
  yaml.put_text(1, "- a", "x\n  y");
  CHECK(yaml.text() == "  - a: |-\n      x\n        y\n");
}

TEST_CASE("hashes tell texts apart") {
  CHECK(hash_of("a") == "af63dc4c8601ec8c");  // FNV-1a of 64 bits, from its reference
  CHECK(hash_of("a") != hash_of("b"));
}

}  // namespace policy
}  // namespace gpulint
