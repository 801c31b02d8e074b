#include <catch2/catch.hpp>

#include "rules/support/typos.h"

using gpulint::rules::is_slip_of;

TEST_CASE("one letter more, less, changed, or two exchanged is a slip") {
  CHECK(is_slip_of("nvdia", "nvidia"));
  CHECK(is_slip_of("nvidiaa", "nvidia"));
  CHECK(is_slip_of("nvibia", "nvidia"));
  CHECK(is_slip_of("nvidai", "nvidia"));
  CHECK(is_slip_of("single-gpus", "single-gpu"));
  CHECK(is_slip_of("singlegpu", "single-gpu"));
}

TEST_CASE("the same name, and one of two slips, are none") {
  CHECK_FALSE(is_slip_of("nvidia", "nvidia"));
  CHECK_FALSE(is_slip_of("nvdai", "nvidia"));
  CHECK_FALSE(is_slip_of("", "nvidia"));
}

// People number their objects, and give them letters.
TEST_CASE("names that differ in a digit or in a short part are different names") {
  CHECK_FALSE(is_slip_of("trainer-2", "trainer-1"));
  CHECK_FALSE(is_slip_of("trainer2", "trainer"));
  CHECK_FALSE(is_slip_of("a100-80", "a100-40"));
  CHECK_FALSE(is_slip_of("pool-b", "pool-a"));
  CHECK_FALSE(is_slip_of("eu.x.pool", "us.x.pool"));
  CHECK_FALSE(is_slip_of("b", "a"));
  CHECK_FALSE(is_slip_of("pool-in", "pool-on"));
}
