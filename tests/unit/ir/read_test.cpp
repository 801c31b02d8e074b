#include "compiler/ir/read.h"

#include <cstdint>
#include <limits>

#include <catch2/catch.hpp>

#include "tests/unit/schedule/parsed.h"

namespace gpulint {

TEST_CASE("A field is absent, opaque, mistyped or known") {
  const test::Parsed parsed("a: x\nb: $X\nc: 1\nd: ~\ne: [x]\n");
  const Node root = parsed.root();
  CHECK(read_string(root, "a").equals("x"));
  CHECK(read_string(root, "b").is_opaque());
  CHECK(read_string(root, "c").is_mistyped());
  CHECK(read_string(root, "d").is_absent());
  CHECK(read_string(root, "e").is_mistyped());
  CHECK(read_string(root, "missing").is_absent());
  CHECK(read_string(root, "missing").node() == root);
}

TEST_CASE("Integers are what a typed JSON reader takes for one") {
  const test::Parsed parsed(
      "a: 010\nb: 1e3\nc: 1.0\nd: 1.5\ne: \"1\"\nf: 9223372036854775807\ng: 9223372036854775808\n"
      "h: -0x10\n");
  const Node root = parsed.root();
  CHECK(read_int(root, "a").equals(8));
  CHECK(read_int(root, "b").equals(1000));
  CHECK(read_int(root, "c").equals(1));
  CHECK(read_int(root, "d").is_mistyped());
  CHECK(read_int(root, "e").is_mistyped());
  CHECK(read_int(root, "f").equals(std::numeric_limits<std::int64_t>::max()));
  CHECK(read_int(root, "g").is_mistyped());
  CHECK(read_int(root, "h").equals(-16));
}

TEST_CASE("Booleans are those of YAML 1.1") {
  const test::Parsed parsed("a: yes\nb: Off\nc: \"true\"\nd: 1\n");
  const Node root = parsed.root();
  CHECK(read_bool(root, "a").equals(true));
  CHECK(read_bool(root, "b").equals(false));
  CHECK(read_bool(root, "c").is_mistyped());
  CHECK(read_bool(root, "d").is_mistyped());
}

}  // namespace gpulint
