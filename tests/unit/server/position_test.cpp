#include "compiler/server/position.h"

#include <string>

#include <catch2/catch.hpp>

using namespace gpulint::server;

TEST_CASE("Characters are counted in the client's units") {
  const std::string text = "aä日😀z";  // 1, 2, 3, 4 and 1 bytes
  const Lines utf8(text, Units::utf8);
  const Lines utf16(text, Units::utf16);
  CHECK(utf8.place(10) == Place{0, 10});
  CHECK(utf16.place(6) == Place{0, 3});
  CHECK(utf16.place(10) == Place{0, 5});
  CHECK(utf16.offset({0, 3}) == 6);
  CHECK(utf16.offset({0, 5}) == 10);
  CHECK(utf16.offset({0, 4}) == 6);  // inside the pair
}

TEST_CASE("Lines end with a line feed, a carriage return or both") {
  const std::string text = "a\r\nb\rc\n\nd";
  const Lines lines(text, Units::utf16);
  CHECK(lines.place(3) == Place{1, 0});
  CHECK(lines.place(5) == Place{2, 0});
  CHECK(lines.place(7) == Place{3, 0});
  CHECK(lines.place(8) == Place{4, 0});
  CHECK(lines.offset({4, 0}) == 8);
}

TEST_CASE("Places outside of the text are clamped") {
  const std::string text = "ab\r\nc";
  const Lines lines(text, Units::utf16);
  CHECK(lines.offset({0, 99}) == 2);
  CHECK(lines.offset({1, 99}) == 5);
  CHECK(lines.offset({9, 0}) == 5);
  CHECK(lines.place(99) == Place{1, 1});
  CHECK(Lines("", Units::utf8).place(0) == Place{0, 0});
  CHECK(Lines("", Units::utf8).offset({0, 5}) == 0);
}

TEST_CASE("Every offset of a character has its own place") {
  const std::string text = "x: \xff\r\ny: 😀 \"日\"\rz\n";
  for (const Units units : {Units::utf8, Units::utf16}) {
    const Lines lines(text, units);
    for (std::uint32_t at = 0; at <= text.size(); ++at) {
      const bool is_inside =
          at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
      const bool is_in_line_end = at > 0 && text[at - 1] == '\r' && text[at] == '\n';
      if (is_inside || is_in_line_end) continue;
      CHECK(lines.offset(lines.place(at)) == at);
    }
  }
}
