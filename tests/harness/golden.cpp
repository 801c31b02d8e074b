#include "tests/harness/golden.h"

#include <array>
#include <sstream>

#include <catch2/catch.hpp>
#include <zlib.h>

#include "tests/harness/skip.h"

namespace gpulint::test {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string read_packed(std::string_view name) {
  const fs::path path = fs::path(GPULINT_SOURCE_DIR) / "testdata" / name;
  INFO(path);
  REQUIRE(fs::is_regular_file(path));
  gzFile file = gzopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  std::string text;
  std::array<char, 1 << 16> part{};
  int count = 0;
  while ((count = gzread(file, part.data(), part.size())) > 0) {
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  const int closed = gzclose(file);
  REQUIRE(count == 0);
  REQUIRE(closed == Z_OK);
  return text;
}

std::vector<nlohmann::ordered_json> read_golden(std::string_view name) {
  INFO("golden file " << name);
  std::istringstream lines(read_packed("golden/" + std::string(name) + ".gz"));
  std::vector<nlohmann::ordered_json> cases;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) cases.push_back(nlohmann::ordered_json::parse(line));
  }
  REQUIRE_FALSE(cases.empty());
  return cases;
}

fs::path shared_folder(std::string_view name) {
  fs::path folder = fs::path(GPULINT_SHARED_DIR) / name;
  if (!fs::is_directory(folder)) skip(folder.string() + " is missing");
  return folder;
}

}  // namespace gpulint::test
