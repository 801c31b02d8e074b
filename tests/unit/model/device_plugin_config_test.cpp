#include "compiler/model/device_plugin/device_plugin_config.h"

#include <array>

#include <catch2/catch.hpp>

#include "golden.h"
#include "yaml.h"

namespace gpulint {
namespace {

using test::Json;
using test::Yaml;
using DevicePluginKind = DevicePluginProblem::Kind;
using Stage = DevicePluginProblem::Stage;

[[nodiscard]] DevicePluginFlags flags_of(const Json& args) {
  DevicePluginFlags flags;
  flags.mps_root.reset();
  for (const std::string arg : args) {
    const std::string name = arg.substr(0, arg.find('='));
    const std::string value = arg.substr(arg.find('=') + 1);
    if (name == "--mps-root") flags.mps_root = value;
    if (name == "--mig-strategy") flags.mig_strategy = value;
    if (name == "--imex-channel-ids") flags.imex_channel_ids.push_back(std::stoll(value));
  }
  return flags;
}

[[nodiscard]] std::string stage_name(Stage stage) {
  if (stage == Stage::none) return "null";
  return stage == Stage::parse ? "\"parse\"" : "\"validate\"";
}

[[nodiscard]] std::string compare_replicated(const DevicePluginConfig& config, const Json& golden) {
  if (golden.is_null()) return config.replicated.empty() ? "" : "replicated";
  Json ours = Json::array();
  for (const ReplicatedResource& resource : config.replicated) {
    ours.push_back(
        {{"name", resource.name}, {"rename", resource.rename}, {"replicas", resource.replicas}});
  }
  return ours == golden ? "" : "replicated " + ours.dump();
}

[[nodiscard]] bool has(const DevicePluginConfig& config, DevicePluginKind kind) {
  return std::ranges::find(config.problems, kind, &DevicePluginProblem::kind) !=
         config.problems.end();
}

/// The warnings that the plugin prints are the ignored parts that are noted.
[[nodiscard]] std::string compare_warnings(const DevicePluginConfig& config, const Json& golden) {
  const std::string text = golden.dump();
  const auto is_said = [&](const char* part) { return text.find(part) != std::string::npos; };
  if (is_said("'rename'") != has(config, DevicePluginKind::ignored_rename))
    return "warning on rename";
  if (is_said("'devices'") != has(config, DevicePluginKind::ignored_devices))
    return "warning on devices";
  if (is_said("'resources'") != has(config, DevicePluginKind::ignored_resources))
    return "on resources";
  return "";
}

[[nodiscard]] std::string compare_config(const Json& golden) {
  const Yaml yaml(golden["config"].get<std::string>());
  const DevicePluginConfig config =
      read_device_plugin_config(yaml.root(), flags_of(golden["args"]));
  const Stage stage = yaml.is_broken() ? Stage::parse : config.refused_at();
  if (stage_name(stage) != golden["stage"].dump()) return "stage " + stage_name(stage);
  if (stage != Stage::none) return "";
  if (golden["mig_strategy"] != config.mig_strategy) return "strategy " + config.mig_strategy;
  constexpr std::array sharing{"none", "time-slicing", "mps"};
  if (golden["sharing_strategy"] != sharing[static_cast<std::size_t>(config.sharing)]) {
    return "sharing";
  }
  const auto fail = config.fail_requests_greater_than_one;
  if (golden["fail_requests_greater_than_one"] != (fail ? Json(*fail) : Json())) return "fail";
  const bool fails_with_devices = has(config, DevicePluginKind::too_many_replicas) ||
                                  has(config, DevicePluginKind::mps_with_mig);
  if (golden["mps_error"].is_null() == fails_with_devices) return "mps_error";
  const std::string difference = compare_replicated(config, golden["replicated"]);
  return difference.empty() ? compare_warnings(config, golden["warnings"]) : difference;
}

TEST_CASE("configurations are read as the device plugin reads them") {
  test::check_golden("device-plugin-config.jsonl", compare_config);
}

TEST_CASE("the keys are those of the facts") {
  const Json facts =
      Json::parse(test::read_packed("golden/facts/device-plugin.json.gz"))["config_file"];
  for (const char* section : {"flags", "flags.plugin", "flags.gfd"}) {
    const auto ours = device_plugin_keys(section);
    for (const std::string key : facts[section]) {
      INFO(key);
      CHECK(std::ranges::count(ours, key.substr(0, key.find(' '))) == 1);
    }
  }
}

struct Found {
  DevicePluginKind kind;
  Stage stage;
  std::string text;
  std::string detail;
  bool operator==(const Found&) const = default;
};

[[nodiscard]] std::vector<Found> problems_of(const std::string& text) {
  const Yaml yaml(text);
  std::vector<Found> found;
  for (const DevicePluginProblem& problem : read_device_plugin_config(yaml.root()).problems) {
    found.push_back(
        {problem.kind, problem.stage, std::string(yaml.text(problem.node)), problem.detail});
  }
  return found;
}

void check_only(const std::string& text, const Found& expected) {
  INFO(text);
  const std::vector<Found> found = problems_of(text);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == expected.kind);
  CHECK(found[0].stage == expected.stage);
  CHECK(found[0].text == expected.text);
  CHECK(found[0].detail == expected.detail);
}

[[nodiscard]] std::string sharing(const std::string& resource) {
  return "sharing: {timeSlicing: {resources: [" + resource + "]}}";
}

TEST_CASE("dropped keys are named with the place where they belong") {
  check_only("timeSlicing: {resources: []}", {DevicePluginKind::misplaced_key, Stage::none,
                                              "{resources: []}", "sharing.timeSlicing"});
  check_only("sharing: {time-slicing: {}}",
             {DevicePluginKind::unknown_key, Stage::none, "{}", "timeSlicing"});
  check_only("migStrategy: mixed",
             {DevicePluginKind::misplaced_key, Stage::none, "mixed", "flags.migStrategy"});
  check_only("flags: {mig-strategy: mixed}",
             {DevicePluginKind::unknown_key, Stage::none, "mixed", "migStrategy"});
  check_only("flags: {renameByDefault: true}", {DevicePluginKind::misplaced_key, Stage::none,
                                                "true", "sharing.timeSlicing.renameByDefault"});
  check_only("flags: {sharedDevicesAllocationPolicy: packed}",
             {DevicePluginKind::misplaced_key, Stage::none, "packed",
              "flags.plugin.sharedDevicesAllocationPolicy"});
  check_only("sharing: {resources: []}",
             {DevicePluginKind::misplaced_key, Stage::none, "[]", "sharing.timeSlicing.resources"});
  check_only(sharing("{name: nvidia.com/gpu, replicas: 2, Devices: all}"),
             {DevicePluginKind::unknown_key, Stage::none, "all", "devices"});
  check_only("comment: x", {DevicePluginKind::unknown_key, Stage::none, "x", ""});
}

TEST_CASE("a flag in the wrong group loses its value and the default") {
  check_only("flags: {plugin: {migStrategy: mixed}}",
             {DevicePluginKind::zeroed_flag, Stage::validate, "mixed", "flags.migStrategy"});
  check_only("flags: {gfd: {failOnInitError: true}}",
             {DevicePluginKind::zeroed_flag, Stage::none, "true", "flags.failOnInitError"});
  check_only("flags: {migStrategy: single, plugin: {migStrategy: mixed}}",
             {DevicePluginKind::misplaced_key, Stage::none, "mixed", "flags.migStrategy"});
}

TEST_CASE("refusals point at the value") {
  check_only("version: v2", {DevicePluginKind::unknown_version, Stage::parse, "v2", ""});
  check_only(sharing("{name: nvidia.com/gpu, replicas: 1}"),
             {DevicePluginKind::too_few_replicas, Stage::parse, "1", ""});
  check_only(sharing("{name: nvidia.com/gpu}"),
             {DevicePluginKind::missing_field, Stage::parse, "{name: nvidia.com/gpu}", "replicas"});
  check_only(
      sharing("{name: amd.com/gpu, replicas: 2}") + "\nflags: {migStrategy: none}",
      {DevicePluginKind::invalid_name, Stage::parse, "amd.com/gpu", "nvidia.com/amd.com/gpu"});
  check_only("flags: {migStrategy: Mixed}",
             {DevicePluginKind::invalid_value, Stage::validate, "Mixed", "mixed"});
  check_only("flags: {gfd: {sleepInterval: 60x}}",
             {DevicePluginKind::invalid_value, Stage::parse, "60x", ""});
}

TEST_CASE("what is ignored is noted") {
  check_only(sharing("{name: nvidia.com/gpu, replicas: 2, rename: nvidia.com/mine}"),
             {DevicePluginKind::ignored_rename, Stage::none, "nvidia.com/mine", "nvidia.com/gpu"});
  check_only(sharing("{name: nvidia.com/gpu, replicas: 2, devices: [0]}"),
             {DevicePluginKind::ignored_devices, Stage::none, "[0]", ""});
  check_only(sharing("{name: nvidia.com/gpu, replicas: 2}, {name: gpu, replicas: 4}"),
             {DevicePluginKind::duplicate_resource, Stage::none, "{name: gpu, replicas: 4}", ""});
  check_only(sharing("{name: nvidia.com/gpus, replicas: 2}"),
             {DevicePluginKind::unmatched_resource, Stage::none, "nvidia.com/gpus", "none"});
  check_only(
      sharing("{name: nvidia.com/mig-1g.5gb, replicas: 2}") + "\nflags: {migStrategy: single}",
      {DevicePluginKind::unmatched_resource, Stage::none, "nvidia.com/mig-1g.5gb", "single"});
  // The strategy may come from the chart.
  CHECK(problems_of(sharing("{name: nvidia.com/mig-1g.5gb, replicas: 2}")).empty());
}

TEST_CASE("placeholders in the configuration are never judged") {
  for (const char* text :
       {"version: $V", "flags: $F", "flags: {migStrategy: $M, plugin: {deviceListStrategy: $D}}",
        "sharing: {timeSlicing: {resources: [{name: $N, replicas: $R, devices: $D}]}}",
        "sharing: {mps: $MPS}", "sharing: {timeSlicing: {resources: $R}}", "$KEY: {a: b}"}) {
    const Yaml yaml(text);
    INFO(text);
    const DevicePluginConfig config = read_device_plugin_config(yaml.root());
    CHECK(config.problems.empty());
    CHECK(config.opaque);
  }
}

TEST_CASE("a configuration is recognised by its keys") {
  const auto is_one = [](const char* text) {
    return looks_like_device_plugin_config(Yaml(text).root());
  };
  CHECK(is_one("version: v1\nsharing: {timeSlicing: {}}"));
  CHECK(is_one("flags: {migStrategy: none}"));
  CHECK(is_one("version: v1\nflags: {plugin: {}}"));
  CHECK(is_one("version: v1\ntimeSlicing: {}"));
  CHECK(is_one("version: v1\nsharing: {timeSlice: {resources: [{replicas: 4}]}}"));
  CHECK(is_one("version: v1\nsharing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}"));
  // Values of the Helm chart.
  CHECK_FALSE(is_one("migStrategy: mixed\nfailOnInitError: true\nmps: {root: /run}"));
  CHECK_FALSE(is_one("version: v1\nflags: {debug: true}"));
  CHECK_FALSE(is_one("version: v1\nmig-configs: {}"));
  CHECK_FALSE(is_one("sharing: {enabled: true}"));
  CHECK_FALSE(is_one("version: 0.17.1\nmigStrategy: mixed"));
  CHECK_FALSE(is_one("version: 3\nflags: {plugin: {theme: dark}}"));
}

}  // namespace
}  // namespace gpulint
