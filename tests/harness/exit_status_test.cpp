// Cases for harness_test.py, which compares the exit status of each.
#include <catch2/catch.hpp>

#include "tests/harness/golden.h"
#include "tests/harness/skip.h"

TEST_CASE("passes") { CHECK(gpulint::test::read_golden("ert.jsonl").size() == 50); }

TEST_CASE("skips") { gpulint::test::skip("there is no oracle"); }

TEST_CASE("fails and skips") {
  CHECK(false);
  gpulint::test::skip("there is no oracle");
}

TEST_CASE("fails as often as the status that skips") {
  for (int i = 0; i < 77; ++i) CHECK(i < 0);
}

TEST_CASE("has no golden file") { CHECK(gpulint::test::read_golden("no-such-file.jsonl").empty()); }
