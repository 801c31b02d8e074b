#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/unit/flyte/support.h"

namespace gpulint::flyte::test {
namespace {

/// Where a decode error of the golden file is: `plugins.k8s: 'default-cpus' expected …`.
[[nodiscard]] std::vector<std::string> error_paths(const std::string& error) {
  std::vector<std::string> paths;
  for (std::size_t begin = 0; begin < error.size();) {
    const std::size_t end = std::min(error.find('\n', begin), error.size());
    const std::string line = error.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t colon = line.find(": '");
    if (colon == std::string::npos) continue;
    const std::size_t close = line.find('\'', colon + 3);
    const std::string field = line.substr(colon + 3, close - colon - 3);
    paths.push_back(line.substr(0, colon) + (field.empty() ? "" : "." + field));
  }
  std::ranges::sort(paths);
  return paths;
}

TEST_CASE("unknown keys and decode errors are those of Flyte's strict mode") {
  Differences differences("flyte-strict.jsonl");
  for_each_golden("flyte-strict.jsonl", [&](const Json& golden) {
    differences.count();
    Inputs inputs;
    const std::vector<ConfigFile> files{
        inputs.config_file("config.yaml", golden.at("config").get<std::string>())};
    const FlyteConfig config = load_flyte_config(files, version_of(golden));
    std::vector<std::string> unknown;
    for (const UnknownKey& key : config.unknown_keys) unknown.push_back(key.path);
    std::ranges::sort(unknown);
    std::vector<std::string> problems;
    for (const ConfigProblem& problem : config.problems) problems.push_back(problem.path);
    std::ranges::sort(problems);
    const auto expected_unknown = golden.at("invalid_keys").get<std::vector<std::string>>();
    const Json& error = golden.at("error");
    const auto expected_problems =
        error.is_null() ? std::vector<std::string>{} : error_paths(error.get<std::string>());
    if (unknown != expected_unknown || problems != expected_problems) {
      differences.add(golden,
                      fmt::format("unknown [{}] instead of [{}], errors [{}] of [{}]",
                                  fmt::join(unknown, ", "), fmt::join(expected_unknown, ", "),
                                  fmt::join(problems, ", "), fmt::join(expected_problems, ", ")));
    }
  });
  differences.require_none();
}

TEST_CASE("two files merge into the configuration that Flyte holds") {
  Differences differences("flyte-multifile.jsonl");
  for_each_golden("flyte-multifile.jsonl", [&](const Json& golden) {
    differences.count();
    Inputs inputs;
    std::vector<ConfigFile> files;
    for (const auto& [name, text] : golden.at("files").items()) {
      files.push_back(inputs.config_file(name, text.get<std::string>()));
    }
    const FlyteVersion version = version_of(golden);
    const FlyteConfig config = load_flyte_config(files, version);
    const bool fails = !config.problems.empty();
    if (fails != !golden.at("error").is_null()) {
      differences.add(golden, "error instead of success or the other way round");
      return;
    }
    if (fails) return;
    const TypeTable types(version);
    const Json actual = without_empty(to_json(config.k8s.tree, "K8sPluginConfig", types));
    const Json expected = without_empty(golden.at("plugins_k8s_loaded"));
    if (actual != expected) {
      differences.add(golden, fmt::format("{}\ninstead of {}", actual.dump(), expected.dump()));
    }
  });
  differences.require_none();
}

}  // namespace
}  // namespace gpulint::flyte::test
