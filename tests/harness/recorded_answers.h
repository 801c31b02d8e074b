#pragma once

#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

namespace gpulint::test {

/// Calls with each recorded answer of Kubernetes in testdata/dra/`name`, or in the file that the
/// environment variable names (new ones, each night).
inline void for_each_answer(const std::string& name, const char* variable,
                            const std::function<void(const nlohmann::json&)>& use) {
  const char* other = std::getenv(variable);
  std::ifstream file(other != nullptr ? other : GPULINT_SOURCE_DIR "/testdata/dra/" + name);
  std::string line;
  while (std::getline(file, line)) use(nlohmann::json::parse(line));
}

}  // namespace gpulint::test
