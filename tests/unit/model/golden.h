#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace gpulint::test {

using Json = nlohmann::ordered_json;

/// A member of a case; null where it has none.
[[nodiscard]] inline Json member(const Json& object, std::string_view key) {
  const auto found = object.find(std::string(key));
  return found == object.end() ? Json() : *found;
}

/// The cases of a golden file; empty, with a warning, where the collection is absent.
[[nodiscard]] inline std::vector<Json> golden_cases(std::string_view name) {
  const auto path = std::filesystem::path(GPULINT_SHARED_DIR) / "golden" / name;
  std::vector<Json> cases;
  std::ifstream file(path);
  if (!file) {
    WARN("skipped: " << path << " is absent");
    return cases;
  }
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) cases.push_back(Json::parse(line));
  }
  REQUIRE_FALSE(cases.empty());
  return cases;
}

/// Runs every case; `compare` returns what differs, "" for agreement. Fails with all differences.
inline void check_golden(std::string_view name,
                         const std::function<std::string(const Json&)>& compare) {
  const std::vector<Json> cases = golden_cases(name);
  std::string differences;
  std::size_t agreeing = 0;
  for (const Json& test_case : cases) {
    const std::string difference = compare(test_case);
    if (difference.empty()) ++agreeing;
    if (!difference.empty()) {
      differences += test_case["id"].get<std::string>() + ": " + difference + "\n";
    }
  }
  INFO(name << ": " << agreeing << " of " << cases.size() << " agree\n" << differences);
  CHECK(agreeing == cases.size());
}

}  // namespace gpulint::test
