#include "compiler/project/process.h"

#include <string>

#include <catch2/catch.hpp>

using gpulint::run_process;

TEST_CASE("A program's output and status come back") {
  const auto ran = run_process({"sh", "-c", "printf out; printf err >&2; exit 3"});
  REQUIRE(ran.ok());
  CHECK(ran.value().status == 3);
  CHECK(ran.value().out == "out");
  CHECK(ran.value().err == "err");
}

TEST_CASE("Words reach a program as they are") {
  const auto ran = run_process({"printf", "%s|%s", "a b", "$(id);'\""});
  REQUIRE(ran.ok());
  CHECK(ran.value().out == "a b|$(id);'\"");
}

TEST_CASE("Much on both pipes does not block") {
  const auto ran = run_process(
      {"sh", "-c", "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; printf end"});
  REQUIRE(ran.ok());
  CHECK(ran.value().out.size() == 1'000'003);
  CHECK(ran.value().err.size() == 1'000'000);
}

TEST_CASE("Standard input is empty") {
  const auto ran = run_process({"cat"});
  REQUIRE(ran.ok());
  CHECK(ran.value().out.empty());
}

TEST_CASE("What cannot be started is an error; what is killed has a status") {
  CHECK_FALSE(run_process({"/nonexistent/program"}).ok());
  const auto ran = run_process({"sh", "-c", "kill -9 $$"});
  REQUIRE(ran.ok());
  CHECK(ran.value().status == 128 + 9);
}
