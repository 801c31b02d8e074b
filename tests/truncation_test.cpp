// Every case of every rule, cut off at some bytes: a broken file gives findings, and no backend
// crashes. `ci/nightly` cuts more often (GPULINT_CUTS="STEP FIRST").
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>

#include "tests/harness/case_runner.h"
#include "tests/harness/render.h"

namespace {

using namespace gpulint;
namespace fs = std::filesystem;

/// Bytes between two cuts of the usual run: a prime, so that cuts fall anywhere in words.
constexpr std::size_t usual_step = 397;

}  // namespace

TEST_CASE("no case of a rule that ends early makes a backend fall") {
  const char* const wanted = std::getenv("GPULINT_CUTS");
  std::size_t step = usual_step;
  std::size_t at = 0;  // goes on from file to file
  if (wanted != nullptr) std::istringstream(wanted) >> step >> at;
  for (const test::RuleCase& rule_case : test::find_rule_cases()) {
    if (fs::is_directory(rule_case.input)) continue;
    INFO(rule_case.input);
    const std::string text = test::read_file(rule_case.input);
    for (; at < text.size(); at += step) {
      CAPTURE(at);
      CHECK(test::render_everything(text.substr(0, at)) > 0);
    }
    at -= text.size();
  }
}

TEST_CASE("text that ends inside an escape, or begins with two marks, makes no backend fall") {
  for (const char* text : {"\"\\", "x: \"a\\", "- \"\\u12", "a: \"\\x", "- '", "? \"\\",
                           "\xEF\xBB\xBF\xEF\xBB\xBF: s\"]\na: &a [&b [*a"}) {
    CAPTURE(text);
    CHECK(test::render_everything(text) > 0);
  }
}
