// The examples of public pages in testdata/seeds: what is right stays silent, what time has
// overtaken gets the findings and fixes of its .expect file.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/harness/case_runner.h"

namespace {

namespace fs = std::filesystem;

[[nodiscard]] std::vector<fs::path> find_examples() {
  std::vector<fs::path> examples;
  for (const auto& entry : fs::directory_iterator(GPULINT_SOURCE_DIR "/testdata/seeds")) {
    if (entry.path().extension() == ".yaml") examples.push_back(entry.path());
  }
  std::ranges::sort(examples);
  return examples;
}

}  // namespace

TEST_CASE("the examples of public pages get the findings and fixes that they need") {
  const std::vector<fs::path> examples = find_examples();
  CHECK(examples.size() > 20);
  for (const fs::path& example : examples) {
    CAPTURE(example.string());
    const std::string actual = gpulint::test::check_files(
        example.parent_path(), {"--no-config", "--", example.filename().string()});
    const std::string expected = fs::path(example).replace_extension("expect");
    const bool writes = std::getenv("GPULINT_UPDATE") != nullptr && !actual.empty();
    if (fs::exists(expected) || writes) {
      CHECK(gpulint::test::compare_golden(expected, actual) == "");
    } else {
      CHECK(actual == "");
    }
  }
}
