#include "compiler/model/schema.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/schema_problems.h"
#include "tests/unit/model/yaml.h"

namespace gpulint {
namespace {

using Type = Schema::Type;

/// `kind path key-or-value`, in order.
[[nodiscard]] std::vector<std::string> problems_of(const std::string& yaml, const Schema& schema) {
  const test::Yaml document(yaml);
  std::vector<std::string> told;
  for (const SchemaProblem& problem : find_schema_problems(document.root(), schema)) {
    constexpr const char* kinds[] = {"unknown", "type", "word", "missing"};
    told.push_back(fmt::format("{} {} {}", kinds[static_cast<int>(problem.kind)], problem.path,
                               problem.at.text()));
  }
  return told;
}

}  // namespace

TEST_CASE("the notation of the fact tables says keys, types, words and what is required") {
  const Schema schema = parse_schema("{a!:s b?{c:i} d[{e!(x|y)}] f:l g}");
  REQUIRE(schema.type == Type::section);
  REQUIRE(schema.fields.size() == 5);
  CHECK(schema.fields[0].is_required);
  CHECK(schema.find("a")->type == Type::text);
  CHECK(schema.find("b")->may_be_scalar);
  CHECK(schema.find("b")->find("c")->type == Type::integer);
  const Schema& item = schema.find("d")->fields.front().schema;
  CHECK(item.find("e")->words == std::vector<std::string>{"x", "y"});
  CHECK(schema.find("f")->type == Type::list);
  CHECK(schema.find("g")->type == Type::open);
  CHECK(schema.find("h") == nullptr);
}

TEST_CASE("values are held against a schema by their types in Kubernetes") {
  const Schema schema = parse_schema("{a!:s b:b c:i d(one|two) e[{f:s}] g{h:l} i}");
  CHECK(problems_of("{a: text, b: yes, c: 1, d: two, e: [{f: q}], g: {h: [1]}, i: {z: 1}}", schema)
            .empty());
  CHECK(problems_of("{a: null, b: ~, g:}", schema).empty());
  CHECK(problems_of("{b: 'true', c: '1', d: z, e: {}, g: [], k: 1}", schema) ==
        std::vector<std::string>{"type b true", "type c 1", "word d z", "type e ", "type g ",
                                 "unknown  k", "missing a "});
  CHECK(problems_of("{a: 1.5, e: [{f: true}, {}, {j: 1}]}", schema) ==
        std::vector<std::string>{"type a 1.5", "type e[0].f true", "unknown e[2] j"});
}

TEST_CASE("a key is meant by one a letter away, two of long ones, whatever the letter case") {
  const Schema schema = parse_schema("{toolkit enabled nvidiaDriverRoot}");
  CHECK(meant_key("enable", schema) == "enabled");
  CHECK(meant_key("Toolkits", schema) == "toolkit");
  CHECK(meant_key("nvidiadriveroot", schema) == "nvidiaDriverRoot");
  CHECK(meant_key("nvidiaDrivrsRoot", schema) == "nvidiaDriverRoot");
  CHECK(meant_key("disabled", schema).empty());
  CHECK(meant_key("tool", schema).empty());
  CHECK(meant_key("runtimeEnv", parse_schema("{runtimeEnvYAML}")) == "runtimeEnvYAML");
  CHECK(meant_key("runtimeEnv", parse_schema("{runtimeEnvYAML runtimeEnvFile}")).empty());
}

TEST_CASE("charts are told by the names beside their values, or by signs") {
  const auto chart_of = [](const std::string& yaml, const std::string& path) -> std::string {
    const test::Yaml document(yaml);
    const std::vector<ChartUse> uses = find_chart_uses(*document.root().document(), path);
    return uses.empty() ? "" : std::string(uses.front().keys->name);
  };
  CHECK(chart_of("{driver: {}, toolkit: {}, mig: {}}", "values.yaml") == "GPU Operator");
  CHECK(chart_of("{driver: {}, toolkit: {}}", "values.yaml").empty());
  CHECK(chart_of("{driver: {}, toolkit: {}}", "apps/gpu-operator/values.yaml") == "GPU Operator");
  CHECK(chart_of("{driver: {}, x: 1, y: 2, z: 3}", "gpu-operator/values.yaml").empty());
  CHECK(chart_of("{driver: {}, toolkit: {}}", "our-gpu-operators/values.yaml").empty());
  CHECK(chart_of("{kueue: {enablePrometheus: true}}", "values.yaml") == "Kueue");
  CHECK(chart_of("{kueue: {enabled: true}}", "values.yaml").empty());
  CHECK(chart_of("{service: {}, image: {}, extraEnv: {}, serviceMonitor: {}}", "values.yaml")
            .empty());
}

}  // namespace gpulint
