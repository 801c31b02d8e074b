// golden/flyte-strict.jsonl: which keys of `plugins.k8s` Flyte does not know, and what rules say.
#include <algorithm>
#include <set>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "compiler/analysis/check.h"
#include "compiler/analysis/project.h"
#include "compiler/inputs/request.h"
#include "compiler/model/document_role.h"
#include "frontend/yaml_parser.h"
#include "tests/harness/golden.h"

namespace {

using namespace gpulint;

/// Rules that share the unknown keys among them.
const std::set<std::string_view> speakers = {"unknown-flyte-key", "misplaced-flyte-key",
                                             "flyte-version-key", "alpha-nvidia-gpu"};

/// Whether nothing tells that a document is Flyte's: `plugins.k8s` without one key of it.
[[nodiscard]] bool is_anonymous(const std::string& config) {
  const SourceFile file(0, "", config);
  const auto documents = parse_file(file);
  return std::ranges::none_of(documents,
                              [](const auto& document) { return !roles_of(*document).empty(); });
}

[[nodiscard]] bool says_unknown_key(const std::string& config, const std::string& version) {
  Request request;
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

}  // namespace

TEST_CASE("rules report unknown keys where Flyte's strict mode does, and only there") {
  int anonymous = 0;
  for (const auto& test : test::read_golden("flyte-strict.jsonl")) {
    bool is_ours = false;
    for (const std::string key : test["invalid_keys"]) {
      is_ours = is_ours || key.starts_with("plugins.k8s.");
    }
    CAPTURE(test["id"].get<std::string>(), test["config"].get<std::string>(),
            test["invalid_keys"].dump());
    const bool says = says_unknown_key(test["config"], test["flyte"]);
    if (is_ours && !says) {
      CHECK(is_anonymous(test["config"]));
      ++anonymous;
    }
    // Keys of `plugins.k8s` below another section are misplaced, and the section is invalid.
    if (test["invalid_keys"].empty()) CHECK_FALSE(says);
  }
  CHECK(anonymous == 4);  // `bogus: 1` alone, and `1: 2`, under both versions
}
