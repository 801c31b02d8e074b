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

/// What the golden files compare of a pod, in one shape for both sides.
[[nodiscard]] Json comparable(const Json& tolerations, const Json& source, bool sort) {
  Json list = Json::array();
  if (tolerations.is_array()) {
    for (const Json& item : tolerations) {
      std::map<std::string, Json> sorted;
      for (const auto& [key, value] : item.items()) sorted[key] = value;
      list.push_back(sorted);
    }
  }
  if (sort)
    std::sort(list.begin(), list.end(),
              [](const Json& a, const Json& b) { return a.dump() < b.dump(); });
  Json resources = Json::object();
  for (const char* kind : {"limits", "requests"}) {
    std::map<std::string, std::string> amounts;
    if (source.contains("resources") && source["resources"].contains(kind)) {
      for (const auto& [name, amount] : source["resources"][kind].items()) {
        const auto quantity = Quantity::parse(amount.get<std::string>());
        amounts[name] = quantity ? quantity->to_string() : "?";
      }
    }
    resources[kind] = amounts;
  }
  const auto part = [&](const char* name) {
    return source.contains(name) ? without_empty(source[name]) : Json::object();
  };
  return {{"tolerations", list},
          {"nodeSelector", part("nodeSelector")},
          {"affinity", part("affinity")},
          {"labels", part("labels")},
          {"schedulerName", source.value("schedulerName", "")},
          {"resources", resources}};
}

[[nodiscard]] Json compiled(const CompiledPod& pod, const SourceSet& sources) {
  std::ostringstream out;
  emit_compiled_json({&pod}, sources, out);
  return Json::parse(out.str())["pods"][0];
}

[[nodiscard]] Json comparable_pod(const Json& pod, bool sort) {
  Json source = pod.at("spec");
  source["labels"] = pod.at("labels");
  source["resources"] = source.at("containers")[0].value("resources", Json::object());
  return comparable(source.value("tolerations", Json::array()), source, sort);
}

/// The variants that Flyte was seen to give; one where it is deterministic.
[[nodiscard]] std::vector<Json> variants(const Json& expect) {
  if (!expect.contains("nondeterministic") || !expect["nondeterministic"].is_array()) {
    return {expect};
  }
  std::vector<Json> result;
  for (const Json& variant : expect["nondeterministic"]) result.push_back(variant);
  result.push_back(expect);
  return result;
}

[[nodiscard]] std::string stage(const Json& expect) {
  if (expect.at("error").is_null()) return "";
  return expect.at("errorStage") == "config-load" ? "config" : "task";
}

void check_case(const Json& golden, Differences& differences) {
  differences.count();
  Inputs inputs;
  const FlyteVersion version = version_of(golden);
  const std::vector<ConfigFile> files{
      inputs.config_file("config.yaml", golden.at("config").get<std::string>())};
  const FlyteConfig config = load_flyte_config(files, version);
  const Document& task_text = inputs.parse("task.json", golden.at("task").dump());
  for (const TaskPlugin plugin : {TaskPlugin::container, TaskPlugin::ray}) {
    Task task = read_task(root(task_text), version);
    task.plugin = plugin;
    const CompiledPod pod = compile_task(config, {}, task);
    const Json actual = compiled(pod, inputs.sources());
    bool any_right = false;
    std::string detail;
    for (const Json& expect : variants(golden.at("expect"))) {
      if (stage(expect) != pod.error_stage) {
        detail =
            fmt::format("stage `{}` instead of `{}` {}", pod.error_stage, stage(expect), pod.error);
        continue;
      }
      if (!pod.error.empty()) {
        any_right = true;
        break;
      }
      const bool sort = golden.at("expect").value("tolerationOrderUnstable", false);
      const char* list = plugin == TaskPlugin::container ? "podPluginTolerations" : "tolerations";
      const Json wanted = comparable(expect.value(list, Json::array()), expect, sort);
      const Json given = comparable_pod(actual, sort);
      any_right = wanted == given;
      if (any_right) break;
      detail = fmt::format("{}\n  {}\n  instead of\n  {}", to_string(plugin), given.dump(),
                           wanted.dump());
    }
    if (!any_right) {
      differences.add(golden, detail);
      return;
    }
  }
}

TEST_CASE("pods are those that Flyte 1 submits") {
  Differences differences("flyte1.jsonl");
  for_each_golden("flyte1.jsonl", [&](const Json& golden) { check_case(golden, differences); });
  differences.require_none();
}

TEST_CASE("pods are those that Flyte 2 submits") {
  Differences differences("flyte2.jsonl");
  for_each_golden("flyte2.jsonl", [&](const Json& golden) { check_case(golden, differences); });
  differences.require_none();
}

}  // namespace
}  // namespace gpulint::flyte::test
