#include <algorithm>
#include <chrono>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "backends/compiled_pods.h"
#include "compiler/base/text.h"
#include "compiler/flyte/inject.h"
#include "compiler/flyte/loaded_release.h"
#include "compiler/model/quantity.h"
#include "tests/unit/flyte/support.h"

namespace gpulint::flyte::test {
namespace {

/// Every text in an item: values, and the keys of string maps. Amounts print in their canonical
/// form, so what was written as `"0.5"` counts for `500m`.
void collect_texts(const Json& item, std::vector<std::string>& texts) {
  if (item.is_string() && !item.get<std::string>().empty())
    texts.push_back(item.get<std::string>());
  if (!item.is_structured()) return;
  for (const Json& child : item) collect_texts(child, texts);
}

/// The value of `"key":"value"`, without its quotes.
[[nodiscard]] std::string_view value_in(std::string_view bytes) {
  bytes.remove_prefix(std::min(bytes.size(), bytes.find(':') + 1));
  const std::size_t begin = bytes.find_first_not_of(" \"'\n");
  if (begin == std::string_view::npos) return {};
  return bytes.substr(begin, bytes.find_last_not_of(" \"'\n") - begin + 1);
}

[[nodiscard]] bool is_same_amount(std::string_view bytes, std::string_view amount) {
  const auto written = Quantity::parse(value_in(bytes));
  const auto given = Quantity::parse(amount);
  return written && given && *written == *given;
}

[[nodiscard]] bool says_nothing(std::string_view bytes) {
  const std::string_view value = value_in(bytes);
  return value.empty() || value == "{}" || value == "null" || value == "~";
}

struct Compiled {
  Inputs inputs;
  CompiledPod pod;
  Json json;
};

[[nodiscard]] std::unique_ptr<Compiled> compile_golden(const Json& golden) {
  auto result = std::make_unique<Compiled>();
  const FlyteVersion version = version_of(golden);
  const std::vector<ConfigFile> files{
      result->inputs.config_file("config.yaml", golden.at("config").get<std::string>())};
  const FlyteConfig config = load_flyte_config(files, version);
  const Node task = root(result->inputs.parse("task.json", golden.at("task").dump()));
  result->pod = compile_task(config, {}, read_task(task, version));
  std::ostringstream out;
  emit_compiled_json({&result->pod}, result->inputs.sources(), out);
  result->json = Json::parse(out.str())["pods"][0];
  return result;
}

TEST_CASE("the origin of every item is a place that holds its key or its value") {
  for (const char* name : {"flyte1.jsonl", "flyte2.jsonl"}) {
    Differences differences(fmt::format("origins of {}", name));
    for_each_golden(name, [&](const Json& golden) {
      const auto compiled = compile_golden(golden);
      if (!compiled->pod.error.empty()) return;
      for (const Origin& origin : compiled->pod.origins) {
        differences.count();
        const Json::json_pointer pointer(origin.pointer);
        const Json& item = compiled->json.at("spec").at(pointer);
        if (!origin.node) continue;
        std::vector<std::string> texts;
        collect_texts(item, texts);
        const std::string& key = pointer.back();
        const bool is_index = key.find_first_not_of("0123456789") == std::string::npos;
        if (!is_index) texts.push_back(key);
        const std::string bytes =
            to_lower(compiled->inputs.sources().text(origin.node.entry_span()));
        const bool holds = std::ranges::any_of(texts, [&](const std::string& text) {
          return bytes.find(to_lower(text)) != std::string::npos || is_same_amount(bytes, text);
        });
        // What is empty where it was written leaves no text in the item.
        if (!holds && !says_nothing(bytes)) {
          differences.add(golden, fmt::format("{} comes from `{}`", origin.pointer, bytes));
        }
      }
    });
    differences.require_none();
  }
}

TEST_CASE("every item of a pod has an origin") {
  Differences differences("items with an origin");
  for_each_golden("flyte2.jsonl", [&](const Json& golden) {
    const auto compiled = compile_golden(golden);
    if (!compiled->pod.error.empty()) return;
    differences.count();
    const Json& spec = compiled->json.at("spec");
    const Json& origins = compiled->json.at("origin");
    for (std::size_t i = 0; i < spec.value("tolerations", Json::array()).size(); ++i) {
      if (!origins.contains(fmt::format("/tolerations/{}", i)))
        differences.add(golden, "toleration");
    }
    if (spec.contains("schedulerName") && !origins.contains("/schedulerName")) {
      differences.add(golden, "schedulerName");
    }
  });
  differences.require_none();
}

TEST_CASE("compiling twice gives the same bytes") {
  for_each_golden("flyte2.jsonl", [&](const Json& golden) {
    CHECK(compile_golden(golden)->json == compile_golden(golden)->json);
  });
}

constexpr const char* measured_config = R"(
plugins:
  k8s:
    resource-tolerations:
      nvidia.com/gpu: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
      cpu: [{key: pool, operator: Equal, value: cpu, effect: NoSchedule}]
    default-node-selector: {pool: gpu, example.com/team: ml}
    default-affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
          - matchExpressions: [{key: zone, operator: In, values: [a, b]}]
)";

TEST_CASE("a thousand tasks under one configuration", "[.measure]") {
  using Clock = std::chrono::steady_clock;
  const auto run = [](int count) {
    const auto begin = Clock::now();
    Inputs inputs;
    const std::vector<ConfigFile> files{inputs.config_file("config.yaml", measured_config)};
    const FlyteConfig config = load_flyte_config(files, FlyteVersion::v1);
    std::size_t items = 0;
    for (int i = 0; i < count; ++i) {
      const Task task = parse_task_spec("gpu=1,accelerator=A100.partition_2g_10gb", config.version);
      items += compile_task(config, {}, task).origins.size();
    }
    REQUIRE(items > 0);
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  };
  run(1);
  std::cerr << fmt::format("1 task {:.2f} ms, 1,000 tasks {:.2f} ms\n", run(1), run(1000));
}

}  // namespace
}  // namespace gpulint::flyte::test
