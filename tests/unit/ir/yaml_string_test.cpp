#include "compiler/ir/yaml_string.h"

#include <catch2/catch.hpp>

using gpulint::double_quoted;
using gpulint::yaml_string;

TEST_CASE("what YAML could read as something else is quoted") {
  CHECK(yaml_string("nvidia.com/gpu") == "nvidia.com/gpu");
  CHECK(yaml_string("true") == "\"true\"");
  CHECK(yaml_string("1") == "\"1\"");
  CHECK(yaml_string("a b") == "\"a b\"");
}

// YAML 1.2.2, 5.7: `\uXXXX` is the character of that number.
TEST_CASE("control, invisible and direction-changing characters are escaped, others are not") {
  CHECK(double_quoted("a\"\\") == R"("a\"\\")");
  CHECK(double_quoted("\x1b\x7f\n") == R"("\u001b\u007f\u000a")");
  CHECK(double_quoted("\u0080\u009b\u009f\u00a0") == "\"\\u0080\\u009b\\u009f\u00a0\"");
  CHECK(double_quoted("\u200b\u200f\u202e\u2066\ufeff") == R"("\u200b\u200f\u202e\u2066\ufeff")");
  CHECK(double_quoted("ü–…宽\uff00") == "\"ü–…宽\uff00\"");
  CHECK(double_quoted("\xC2 \xE2\x80K") == "\"\xC2 \xE2\x80K\"");
}
