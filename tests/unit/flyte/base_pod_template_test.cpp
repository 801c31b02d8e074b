// Pods that Flyte builds upon PodTemplates: what its own functions make of the cases in
// testdata/flyte/base_pods.jsonl, recorded there (tests/base_pods/record.py), beside what is
// compiled of them.
#include "compiler/flyte/base_pod_template.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "backends/compiled_pods.h"
#include "compiler/flyte/inject.h"
#include "tests/unit/flyte/support.h"

namespace gpulint::flyte::test {
namespace {

/// The parts that decide where a pod runs, amounts in one spelling.
[[nodiscard]] Json placing_parts(const Json& spec, const Json& resources, bool sorts_tolerations) {
  Json amounts = Json::object();
  for (const char* list : {"limits", "requests"}) {
    std::map<std::string, std::string> of_list;
    const Json given = resources.value(list, Json::object());
    for (const auto& [name, amount] : given.items()) {
      of_list[name] = Quantity::parse(amount.get<std::string>())->to_string();
    }
    amounts[list] = of_list;
  }
  std::vector<std::string> tolerations;
  const Json all = spec.value("tolerations", Json::array());
  for (const Json& each : all) {
    tolerations.push_back(nlohmann::json::parse(each.dump()).dump());  // keys in order
  }
  if (sorts_tolerations) std::ranges::sort(tolerations);
  const auto part = [&](const char* name) {
    const Json value = spec.contains(name) ? without_empty(spec[name]) : Json::object();
    return nlohmann::json::parse(value.dump()).dump();
  };
  return {{"tolerations", tolerations},
          {"nodeSelector", part("nodeSelector")},
          {"affinity", part("affinity")},
          {"runtimeClassName", spec.value("runtimeClassName", "")},
          {"schedulerName", spec.value("schedulerName", "")},
          {"resources", amounts}};
}

void check_base(const Json& golden, Differences& differences) {
  differences.count();
  Inputs inputs;
  const FlyteVersion version = version_of(golden);
  const std::vector<ConfigFile> files{
      inputs.config_file("config.yaml", golden.at("config").dump())};
  FlyteConfig config = load_flyte_config(files, version);
  const Document& objects = inputs.parse("base.yaml", golden.at("template").dump());
  const Document* const documents[] = {&objects};
  config.pod_templates = find_base_pod_templates(documents);
  const Document& task = inputs.parse("task.json", golden.at("task").dump());
  const CompiledPod pod = compile_task(config, {}, read_task(root(task), version));
  if (!pod.error.empty()) return differences.add(golden, pod.error);
  std::ostringstream out;
  emit_compiled_json({&pod}, inputs.sources(), out);
  const Json spec = Json::parse(out.str())["pods"][0]["spec"];
  const Json& wanted = golden.at("expect");
  const bool sorts = pod.toleration_order_unstable;
  const Json given =
      placing_parts(spec, spec["containers"][0].value("resources", Json::object()), sorts);
  const Json expected = placing_parts(wanted, wanted.value("resources", Json::object()), sorts);
  if (given != expected) {
    differences.add(golden, fmt::format("{}\n  instead of\n  {}", given.dump(), expected.dump()));
  }
}

TEST_CASE("pods upon PodTemplates are those that Flyte makes") {
  const char* other = std::getenv("GPULINT_BASE_PODS");
  const std::string kept = GPULINT_SOURCE_DIR "/testdata/flyte/base_pods.jsonl";
  std::ifstream file(other == nullptr ? kept : other);
  REQUIRE(file.good());
  Differences differences("base_pods.jsonl");
  for (std::string line; std::getline(file, line);) check_base(Json::parse(line), differences);
  differences.require_none();
}

}  // namespace
}  // namespace gpulint::flyte::test
