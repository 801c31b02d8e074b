#pragma once

#include <functional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/harness/golden.h"

namespace gpulint::test {

using Json = nlohmann::ordered_json;

/// A member of a case; null where it has none.
[[nodiscard]] inline Json member(const Json& object, std::string_view key) {
  const auto found = object.find(std::string(key));
  return found == object.end() ? Json() : *found;
}

/// Runs every case; `compare` returns what differs, "" for agreement. Fails with all differences.
inline void check_golden(std::string_view name,
                         const std::function<std::string(const Json&)>& compare) {
  const std::vector<Json> cases = read_golden(name);
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
