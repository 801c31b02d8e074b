#include "compiler/base/text.h"

#include <array>
#include <string_view>

#include <catch2/catch.hpp>

using namespace std::string_view_literals;

TEST_CASE("edit distance counts a transposition once and stops at the limit") {
  CHECK(gpulint::edit_distance("gpu", "gpu", 3) == 0);
  CHECK(gpulint::edit_distance("resouce", "resource", 3) == 1);
  CHECK(gpulint::edit_distance("gup", "gpu", 3) == 1);
  CHECK(gpulint::edit_distance("abcdef", "uvwxyz", 2) == 3);
}

TEST_CASE("the nearest key ignores separators and letter case") {
  constexpr std::array keys = {"gpu-resource-name"sv, "resource-tolerations"sv, "scheduler-name"sv};
  CHECK(gpulint::nearest("gpuResourceName", keys) == "gpu-resource-name"sv);
  CHECK(gpulint::nearest("gpu_resouce_name", keys) == "gpu-resource-name"sv);
  CHECK(gpulint::nearest("resource-toleration", keys) == "resource-tolerations"sv);
  CHECK_FALSE(gpulint::nearest("completely-else", keys));
}
