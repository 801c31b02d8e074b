#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "compiler/ir/opaque.h"

namespace gpulint {

// The forms are those of drone/envsubst, README «Supported Functions».
TEST_CASE("Variables with a default are read in all forms of envsubst") {
  for (const std::string_view text : {"${X:=1}", "${X=1}", "${X:-1}", "${X-1}"}) {
    INFO(text);
    const auto variable = variable_at(text, 0);
    REQUIRE(variable);
    CHECK(variable->text == text);
    CHECK(variable->fallback == "1");
  }
  CHECK(variable_at("a${X:=${Y:-2}}b", 1)->fallback == "${Y:-2}");
  CHECK(variable_at("${X:-}", 0)->fallback.empty());
}

TEST_CASE("Variables without a default, and other functions, are none") {
  for (const std::string_view text :
       {"${X}", "$X", "${X:?needed}", "${X:+1}", "${X:0:2}", "${X/a/b}", "${X:=1", "${:=1}",
        "{X:=1}", "${var.gpus}", "$(X:=1)"}) {
    INFO(text);
    CHECK_FALSE(variable_at(text, 0));
  }
}

TEST_CASE("A variable is found wherever a part of it is edited") {
  const std::string_view text = "a: 1\nb: x${X:=1}y\nc: ${Y}";
  const std::size_t begin = text.find("${X");
  CHECK(variable_in(text, begin + 4, begin + 5)->text == "${X:=1}");
  CHECK(variable_in(text, 5, text.size())->text == "${X:=1}");
  CHECK_FALSE(variable_in(text, 0, begin));
  CHECK_FALSE(variable_in(text, begin + 7, text.size()));
}

}  // namespace gpulint
