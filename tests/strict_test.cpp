// golden/flyte-strict.jsonl, testdata/flyte/strict.jsonl: which keys Flyte's strict mode refuses,
// and what rules say.
#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "compiler/model/scope/document_role.h"
#include "compiler/pipeline.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"
#include "frontend/yaml_parser.h"
#include "tests/harness/golden.h"

namespace {

using namespace gpulint;

/// Rules that share the unknown keys among them.
const std::set<std::string_view> speakers = {"unknown-flyte-key", "misplaced-flyte-key",
                                             "flyte-version-key", "alpha-gpu-api"};

/// Whether nothing tells that a document is Flyte's: `plugins.k8s` without one key of it.
[[nodiscard]] bool is_anonymous(const std::string& config) {
  const SourceFile file(0, "", config);
  const auto documents = parse_file(file);
  return std::ranges::none_of(documents,
                              [](const auto& document) { return !roles_of(*document).empty(); });
}

[[nodiscard]] bool says_unknown_key(const std::string& config, const std::string& version) {
  Request request;
  request.preview = true;
  request.no_config = true;
  request.paths = {"-"};
  request.flyte_version = version == "1" ? FlyteVersion::v1 : FlyteVersion::v2;
  const auto project = load_project(request, {{"-", config}});
  for (const Diagnostic& finding : check_project(*project, request)) {
    const bool deprecation = finding.message.ends_with("is deprecated");
    if (speakers.contains(finding.rule->id) && !deprecation) return true;
  }
  return false;
}

[[nodiscard]] std::vector<nlohmann::ordered_json> read_lines(const char* path) {
  std::ifstream lines(path);
  REQUIRE(lines);
  std::vector<nlohmann::ordered_json> cases;
  for (std::string line; std::getline(lines, line);) {
    cases.push_back(nlohmann::ordered_json::parse(line));
  }
  return cases;
}

/// Compares all cases of a recording; returns how many say nothing of Flyte but their sections.
int compare(const std::vector<nlohmann::ordered_json>& recording) {
  int anonymous = 0;
  for (const nlohmann::ordered_json& test : recording) {
    CAPTURE(test["id"].get<std::string>(), test["config"].get<std::string>(),
            test["invalid_keys"].dump());
    const bool says = says_unknown_key(test["config"], test["flyte"]);
    const bool is_silent = !says && !test["invalid_keys"].empty();
    if (is_silent) CHECK(is_anonymous(test["config"]));
    anonymous += is_silent ? 1 : 0;
    if (test["invalid_keys"].empty()) CHECK_FALSE(says);
  }
  return anonymous;
}

}  // namespace

TEST_CASE("rules report unknown keys where Flyte's strict mode does, and only there") {
  CHECK(compare(read_lines(GPULINT_SOURCE_DIR "/testdata/flyte/strict.jsonl")) == 0);
  // `bogus: 1` alone, and `1: 2`, under both versions
  CHECK(compare(test::read_golden("flyte-strict.jsonl")) == 4);
}
