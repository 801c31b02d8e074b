#include "compiler/base/likeness.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

using namespace std::string_view_literals;

TEST_CASE("a part of a name is a run of whole words, whatever the letter case") {
  CHECK(gpulint::is_part_of_name("A100-SXM4-80GB", "NVIDIA-A100-SXM4-80GB"));
  CHECK(gpulint::is_part_of_name("nvidia-a100", "NVIDIA-A100-SXM4-80GB"));
  CHECK(gpulint::is_part_of_name("SXM4", "NVIDIA-A100-SXM4-80GB"));
  CHECK(gpulint::is_part_of_name("T4", "Tesla-T4"));
  CHECK_FALSE(gpulint::is_part_of_name("A10", "NVIDIA-A100-SXM4-80GB"));
  CHECK_FALSE(gpulint::is_part_of_name("100", "NVIDIA-A100-SXM4-80GB"));
  CHECK_FALSE(gpulint::is_part_of_name("", "Tesla-T4"));
}

TEST_CASE("of several names with the part none is meant") {
  constexpr std::array names = {"NVIDIA-A100-SXM4-40GB"sv, "NVIDIA-A100-SXM4-80GB"sv, "Tesla-T4"sv};
  CHECK(gpulint::only_with_part("T4", names) == "Tesla-T4"sv);
  CHECK(gpulint::only_with_part("NVIDIA-Tesla-T4", names) == "Tesla-T4"sv);
  CHECK_FALSE(gpulint::only_with_part("A100", names));
  CHECK_FALSE(gpulint::only_with_part("H100", names));
}

TEST_CASE("names that share a part come before those that are spelt alike") {
  std::vector<std::string> names{"A10G", "Tesla-T4", "NVIDIA-A10", "A100"};
  gpulint::sort_by_likeness("A10", names);
  CHECK(names == std::vector<std::string>{"NVIDIA-A10", "A100", "A10G", "Tesla-T4"});
}
