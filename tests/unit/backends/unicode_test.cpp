#include "backends/unicode.h"

#include <catch2/catch.hpp>

using gpulint::cell_width;
using gpulint::decode_code_point;
using gpulint::printable;
using gpulint::shorten;

TEST_CASE("decoding takes what RFC 3629 allows and nothing else") {
  CHECK(decode_code_point("\xF0\x9F\x98\x80").value == 0x1F600);
  CHECK(decode_code_point("\xED\x9F\xBF").value == 0xD7FF);
  for (const std::string_view bad :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xE2\x28\xA1", "\xFF"}) {
    CAPTURE(bad);
    CHECK(decode_code_point(bad).size == 1);
    CHECK_FALSE(decode_code_point(bad).valid);
  }
}

TEST_CASE("wide characters take two cells, marks none") {
  CHECK(cell_width("abc") == 3);
  CHECK(cell_width("宽字") == 4);
  CHECK(cell_width("ｆ") == 2);
  CHECK(cell_width("e\u0301") == 1);
  CHECK(cell_width("\U0001F600") == 2);
  CHECK(cell_width("가") == 2);
  CHECK(cell_width("é…") == 2);
}

TEST_CASE("what could steer a terminal is spelt out") {
  CHECK(printable("a\x1b[31mb") == "a\\x1b[31mb");
  CHECK(printable("a\tb\nc\rd") == "a    b\\nc\\rd");
  CHECK(printable("\u202Eabc\u200B") == "\\u{202e}abc\\u{200b}");
  CHECK(printable("\u009b31m") == "\\u{9b}31m");
  CHECK(printable("\xFFü") == "\uFFFDü");
  CHECK(printable("ünï 宽 \U0001F600") == "ünï 宽 \U0001F600");
}

TEST_CASE("hidden characters of JSON are escaped, and its value is the same") {
  using gpulint::escape_hidden;
  CHECK(escape_hidden("{\"a\": [1]}") == "{\"a\": [1]}");
  CHECK(escape_hidden("\"\u009b\u202e\x7f\uFEFF\"") == "\"\\u009b\\u202e\\u007f\\ufeff\"");
  CHECK(escape_hidden("\"ünï 宽 \U0001F600\"") == "\"ünï 宽 \U0001F600\"");
  CHECK(escape_hidden("\"\U000E0041\"") == "\"\\udb40\\udc41\"");  // RFC 8259, 7: two halves
  CHECK(escape_hidden("\"\U000E0041\"", gpulint::EscapeSyntax::yaml) == "\"\\U000e0041\"");
}

TEST_CASE("shortening counts code points and marks the cut") {
  CHECK(shorten("äöü", 3) == "äöü");
  CHECK(shorten("äöüx", 3) == "äö…");
  CHECK(shorten("", 3).empty());
}
