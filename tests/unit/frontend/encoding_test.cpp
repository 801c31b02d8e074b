#include <string>

#include <catch2/catch.hpp>

#include "frontend/load.h"

using namespace std::string_literals;

namespace gpulint {

TEST_CASE("UTF-16 of either order becomes UTF-8 and is not written back") {
  const DecodedBytes little = decode_bytes(
      "\xFF\xFE"
      "a\0\xE4\0\x3D\xD8\x00\xDE"s);
  CHECK(little.text == "a\xC3\xA4\xF0\x9F\x98\x80");
  CHECK(little.encoding == SourceFile::Encoding::transcoded);
  const DecodedBytes big = decode_bytes("\xFE\xFF\0a\0:"s);
  CHECK(big.text == "a:");
}

TEST_CASE("Half a pair and an odd last byte become the replacement character") {
  CHECK(decode_bytes("\xFF\xFE\x3D\xD8"
                     "a\0"s)
            .text ==
        "\xEF\xBF\xBD"
        "a");
  CHECK(decode_bytes("\xFF\xFE"
                     "a\0b"s)
            .text == "a\xEF\xBF\xBD");
}

TEST_CASE("UTF-8 stays as it is, a byte order mark and CRLF included") {
  const std::string text =
      "\xEF\xBB\xBF"
      "a: \xC3\xA4\r\n";
  const DecodedBytes decoded = decode_bytes(text);
  CHECK(decoded.text == text);
  CHECK(decoded.encoding == SourceFile::Encoding::utf8);
}

TEST_CASE("What no YAML reader accepts is found at its place") {
  CHECK_FALSE(find_unreadable("a: \xC3\xA4\n"));
  const auto invalid = find_unreadable("ab\xFFz");
  REQUIRE(invalid);
  CHECK(invalid->begin == 2);
  CHECK(invalid->end == 3);
  CHECK(find_unreadable("a\0b"s));
  CHECK(find_unreadable("\xED\xA0\x80"));      // a surrogate
  CHECK(find_unreadable("\xC0\x80"));          // overlong
  CHECK(find_unreadable("\xF4\x90\x80\x80"));  // beyond U+10FFFF
}

}  // namespace gpulint
