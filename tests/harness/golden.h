#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace gpulint::test {

/// The bytes of a gzip file below testdata, such as "golden/ray.jsonl.gz". Fails the test where the
/// file is missing or damaged.
[[nodiscard]] std::string read_packed(std::string_view name);

/// The cases of testdata/golden/NAME.gz, one JSON object a line: what the program that SOURCES.md
/// names decided. Fails the test where there are none.
[[nodiscard]] std::vector<nlohmann::ordered_json> read_golden(std::string_view name);

/// A folder outside the repository that the larger comparisons need, such as "corpus". Skips the
/// test where GPULINT_SHARED_DIR does not have it.
[[nodiscard]] std::filesystem::path shared_folder(std::string_view name);

}  // namespace gpulint::test
