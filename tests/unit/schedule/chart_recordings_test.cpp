#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "compiler/model/scope/build_scope_model.h"
#include "compiler/schedule/operands.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

[[nodiscard]] std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// `name: key op value effect, … / key=value, …`
[[nodiscard]] std::string describe(const std::string& name, std::vector<std::string> tolerations,
                                   std::vector<std::string> labels) {
  std::ranges::sort(tolerations);
  std::ranges::sort(labels);
  return fmt::format("{}: {} / {}", name, fmt::join(tolerations, ", "), fmt::join(labels, ", "));
}

[[nodiscard]] std::vector<std::string> derived(const std::string& yaml) {
  const test::Parsed parsed(yaml);
  const Settings settings;
  const ScopeModel model = build_scope_model(parsed.sources(), settings, {&parsed.document()});
  std::vector<std::string> found;
  for (const Workload& workload : find_operands(model)) {
    std::vector<std::string> tolerations;
    for (const Toleration& each : workload.pod.tolerations) {
      tolerations.push_back(fmt::format("{} {} {} {}", each.key.value_or(""),
                                        each.op.value_or("Equal"), each.value.value_or(""),
                                        each.effect.value_or("")));
    }
    std::vector<std::string> labels;
    for (const LabelEntry& each : workload.pod.node_selector) {
      labels.push_back(fmt::format("{}={}", each.key.value, each.value.value_or("")));
    }
    found.push_back(describe(workload.name, std::move(tolerations), std::move(labels)));
  }
  std::ranges::sort(found);
  return found;
}

[[nodiscard]] std::vector<std::string> recorded(const Json& daemonsets) {
  std::vector<std::string> found;
  for (const Json& daemonset : daemonsets) {
    const auto name = daemonset["daemonset"].get<std::string>();
    std::vector<std::string> tolerations;
    for (const Json& each : daemonset["tolerations"]) {
      tolerations.push_back(fmt::format("{} {} {} {}", each.value("key", ""),
                                        each.value("operator", "Equal"), each.value("value", ""),
                                        each.value("effect", "")));
    }
    // The operator's DaemonSets keep their own where ClusterPolicy has an empty list.
    if (tolerations.empty() && name == "nvidia-device-plugin-daemonset") {
      tolerations = {"nvidia.com/gpu Exists  NoSchedule"};
    }
    std::vector<std::string> labels;
    for (const auto& [key, value] : daemonset["nodeSelector"].items()) {
      labels.push_back(fmt::format("{}={}", key, value.get<std::string>()));
    }
    found.push_back(describe(name, std::move(tolerations), std::move(labels)));
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

// testdata/charts: what real Helm renders of the same values.
TEST_CASE("what charts make of values is what Helm makes of them") {
  std::size_t count = 0;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(GPULINT_SOURCE_DIR) / "testdata" / "charts")) {
    if (entry.path().extension() != ".json") continue;
    ++count;
    fs::path values = entry.path();
    values.replace_extension(".yaml");
    INFO(values.filename());
    CHECK(derived(read(values)) == recorded(Json::parse(read(entry.path()))));
  }
  CHECK(count >= 17);
}

}  // namespace gpulint
