#include "compiler/model/mig/mig_config.h"

#include <set>

#include <catch2/catch.hpp>

#include "golden.h"
#include "yaml.h"

namespace gpulint {
namespace {

using test::Json;
using test::Yaml;
using MigProblemKind = MigConfigProblem::Kind;

/// Texts of filters and whether they are identifiers; Go walks the configurations in any order.
using Filters = std::set<std::pair<std::string, bool>>;

[[nodiscard]] Filters filters_of(const MigConfigFile& file) {
  Filters filters;
  for (const MigNamedConfig& config : file.configs) {
    for (const MigConfigEntry& entry : config.entries) {
      for (const MigDeviceFilter& filter : entry.filters) {
        filters.emplace(filter.text, filter.device_id.has_value());
      }
    }
  }
  return filters;
}

[[nodiscard]] std::string compare_mig_config(const Json& golden) {
  const Yaml yaml(golden["config"].get<std::string>());
  const MigConfigFile file = read_mig_config(yaml.root());
  const bool accepted = file.accepted() && !yaml.is_broken();
  if (accepted != golden["accepted"].get<bool>()) return "accepted differs";
  const Json configs = test::member(golden, "configs");
  if (configs.is_object()) {
    for (const MigNamedConfig& config : file.configs) {
      if (configs.at(config.name)["accepted"] != config.accepted) {
        return "config " + config.name + " differs";
      }
    }
  }
  if (!test::member(golden, "filters").is_array()) return "";
  Filters expected;
  for (const Json& filter : golden["filters"]) expected.emplace(filter["filter"], filter["valid"]);
  return filters_of(file) == expected ? "" : "filters differ";
}

TEST_CASE("MIG configurations are accepted and refused as mig-parted does") {
  test::check_golden("mig-config.jsonl", compare_mig_config);
}

TEST_CASE("the configuration that NVIDIA ships has no fault") {
  for (const Json& golden : test::read_golden("mig-config.jsonl")) {
    if (golden["note"].get<std::string>().find("shipped") == std::string::npos) continue;
    const Yaml yaml(golden["config"].get<std::string>());
    INFO(golden["note"]);
    for (const MigConfigProblem& problem : read_mig_config(yaml.root()).problems) {
      FAIL_CHECK(problem.config << ": " << problem.detail << " at " << yaml.text(problem.node));
    }
  }
}

/// The only problem of an entry with these lines, as kind, text at the node, detail.
struct FoundMig {
  MigProblemKind kind;
  std::string text;
  std::string detail;
};

[[nodiscard]] std::vector<FoundMig> mig_problems(const std::string& entry) {
  const Yaml yaml("version: v1\nmig-configs:\n  custom:\n  - devices: all\n    " + entry + "\n");
  std::vector<FoundMig> result;
  for (const MigConfigProblem& problem : read_mig_config(yaml.root()).problems) {
    CHECK(problem.config == "custom");
    result.push_back({problem.kind, std::string(yaml.text(problem.node)), problem.detail});
  }
  return result;
}

void check_only(const std::string& entry, MigProblemKind kind, std::string_view text,
                std::string_view detail) {
  INFO(entry);
  const std::vector<FoundMig> found = mig_problems(entry);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == kind);
  CHECK(found[0].text == text);
  CHECK(found[0].detail == detail);
}

[[nodiscard]] std::string enabled(const std::string& devices) {
  return "mig-enabled: true\n    mig-devices: " + devices;
}

TEST_CASE("refusals point at the value and name the remedy") {
  check_only(enabled("{2g10gb: 1}"), MigProblemKind::invalid_profile, "1", "2g.10gb");
  check_only(enabled("{1g.5gb.me: 1}"), MigProblemKind::invalid_profile, "1", "1g.5gb+me");
  check_only(enabled("{1g.5gb: -1}"), MigProblemKind::negative_count, "-1", "");
  check_only(enabled("{1g.5gb: '7'}"), MigProblemKind::mistyped, "'7'", "integer");
  check_only("mig-enabled: 1", MigProblemKind::mistyped, "1", "boolean");
  check_only("mig-enabled: true\n    migDevices: {}\n    mig-devices: {}",
             MigProblemKind::unexpected_field, "{}", "mig-devices");
  check_only("mig-enabled: false\n    mig-devices: {1g.5gb: 1}",
             MigProblemKind::devices_without_mig, "{1g.5gb: 1}", "");
}

TEST_CASE("what is accepted and does nothing is found") {
  check_only(enabled("{1g.7gb: 1}"), MigProblemKind::unknown_profile, "1", "1g.6gb");
  check_only(enabled("{1g.5gb: 1, 2g.10gb: 0}"), MigProblemKind::zero_count, "0", "");
  check_only(enabled("{1c.1g.5gb: 1}"), MigProblemKind::unusual_spelling, "1", "1g.5gb");
  check_only(enabled("{01g.5gb: 1}"), MigProblemKind::unusual_spelling, "1", "1g.5gb");
  check_only(enabled("{3g.20gb: 2, 1g.5gb: 1}"), MigProblemKind::impossible_layout,
             "{3g.20gb: 2, 1g.5gb: 1}", "A100-40GB has no placement for this combination");
  check_only(enabled("{1g.5gb: 8}"), MigProblemKind::impossible_layout, "{1g.5gb: 8}",
             "A100-40GB can hold at most 7 of `1g.5gb`");
  check_only(enabled("{1g.5gb: 1, 1g.6gb: 1}"), MigProblemKind::impossible_layout,
             "{1g.5gb: 1, 1g.6gb: 1}", "no GPU has all of these profiles");
  check_only("device-filter: A100\n    " + enabled("{1g.5gb: 7}"), MigProblemKind::invalid_filter,
             "A100", "");
  check_only("device-filter: '0x20B0'\n    " + enabled("{1g.5gb: 7}"),
             MigProblemKind::unknown_filter, "'0x20B0'", "");
}

TEST_CASE("a filter decides which GPUs must hold the layout") {
  CHECK(mig_problems("device-filter: '0x20B010DE'\n    " + enabled("{1g.5gb: 7}")).empty());
  check_only("device-filter: '0x20B210DE'\n    " + enabled("{1g.5gb: 7}"),
             MigProblemKind::unknown_profile, "7", "1g.10gb");
  check_only("device-filter: ['0x20B010DE', '0x20B210DE']\n    " + enabled("{1g.10gb: 7}"),
             MigProblemKind::impossible_layout, "{1g.10gb: 7}",
             "A100-40GB can hold at most 4 of `1g.10gb`");
  // A model that the facts do not know may have any profile.
  CHECK(mig_problems("device-filter: '0xFFFF10DE'\n    " + enabled("{5g.5gb: 3}")).empty());
}

TEST_CASE("lists of devices that select nothing are found") {
  const auto kinds = [](const std::string& devices) {
    const Yaml yaml("version: v1\nmig-configs: {a: [{devices: " + devices +
                    ", mig-enabled: false}]}\n");
    return read_mig_config(yaml.root()).problems.size();
  };
  CHECK(kinds("[]") == 1);
  CHECK(kinds("[-1]") == 1);
  CHECK(kinds("[100]") == 1);
  CHECK(kinds("[0, 100]") == 0);
  CHECK(kinds("all") == 0);
}

TEST_CASE("placeholders are never judged") {
  for (const char* text :
       {"version: ${VERSION}\nmig-configs: {a: [{devices: all, mig-enabled: false}]}",
        "version: v1\nmig-configs: ${CONFIGS}",
        "version: v1\nmig-configs: {a: [{devices: $D, mig-enabled: $E, mig-devices: $F}]}",
        "version: v1\nmig-configs: {a: [{devices: all, device-filter: ['$D', '0x20B210DE'], "
        "mig-enabled: true, mig-devices: {1g.5gb: $N}}]}"}) {
    const Yaml yaml(text);
    INFO(text);
    const MigConfigFile file = read_mig_config(yaml.root());
    CHECK(file.problems.empty());
    CHECK(file.opaque);
  }
}

TEST_CASE("a file is recognised by its configurations, misspelt too") {
  CHECK(looks_like_mig_config(Yaml("mig-configs: {}").root()));
  CHECK(looks_like_mig_config(Yaml("mig_configs: {}").root()));
  CHECK(looks_like_mig_config(Yaml("MIG-configs: {}\nversion: v1").root()));
  CHECK(looks_like_mig_config(Yaml("mig-config: {a: [{mig-enabled: true}]}").root()));
  CHECK(looks_like_mig_config(Yaml("version: v1\nmig-confgs: {a: [{devices: all}]}").root()));
  CHECK_FALSE(looks_like_mig_config(Yaml("version: v1\nsharing: {}").root()));
  CHECK_FALSE(looks_like_mig_config(Yaml("[]").root()));
  for (const char* key : {"mpiConfig", "tfyConfigs", "log_config", "modelConfigs", "NICConfig",
                          "appConfigs", "apiConfigs", "db-configs", "minConfigs"}) {
    CAPTURE(key);
    CHECK_FALSE(looks_like_mig_config(Yaml(std::string(key) + ": {a: 1}").root()));
    CHECK_FALSE(looks_like_mig_config(Yaml(std::string(key) + ": {a: [{b: 1}]}").root()));
    CHECK_FALSE(looks_like_mig_config(Yaml("version: v1\n" + std::string(key) + ": {}").root()));
  }
}

}  // namespace
}  // namespace gpulint
