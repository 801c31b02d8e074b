#include "frontend/stream.h"

#include <string>

#include <catch2/catch.hpp>

namespace gpulint {
namespace {

/// The documents' texts between bars.
[[nodiscard]] std::string split(std::string_view text) {
  std::string result;
  for (const DocumentText& document : split_stream(text)) {
    result += '|';
    result += text.substr(document.content, document.end - document.content);
  }
  return result;
}

}  // namespace

TEST_CASE("Markers in column 0 split a stream, block scalars or not") {
  CHECK(split("a: 1\n---\nb: 2\n") == "|a: 1\n|\nb: 2\n");
  CHECK(split("a: |\n  x\n---\nb: 2\n") == "|a: |\n  x\n|\nb: 2\n");
  CHECK(split("a: 1\n ---\n") == "|a: 1\n ---\n");
  CHECK(split("a: 1\n--- b\n") == "|a: 1\n| b\n");
  CHECK(split("a: 1\n---b: 2\n") == "|a: 1\n---b: 2\n");
}

TEST_CASE("An end marker ends a document, and begins none by itself") {
  CHECK(split("a: 1\n...\n") == "|a: 1\n");
  CHECK(split("a: 1\n...\n---\nb: 2\n") == "|a: 1\n|\nb: 2\n");
}

TEST_CASE("Text on the line of an end marker is kept, to be told") {
  CHECK(split("a: 1\n... b\nc: 2\n") == "|a: 1\n| b\nc: 2\n");
  CHECK(split("a: 1\n... # b\nc: 2\n") == "|a: 1\n|c: 2\n");
  CHECK(split("a: 1\n... \t\n") == "|a: 1\n");
  const auto documents = split_stream("a: 1\n... b\n---\nc: 2\n");
  REQUIRE(documents.size() == 3);
  CHECK_FALSE(documents[0].is_on_end_line);
  CHECK(documents[1].is_on_end_line);
  CHECK_FALSE(documents[2].is_on_end_line);
}

TEST_CASE("JSON objects that follow one another are documents of their own") {
  CHECK(split("{\"a\": \"} {\"}\n\n{\"b\": {}} {} \n") ==
        "|{\"a\": \"} {\"}|\n\n{\"b\": {}}| {} \n");
  CHECK(split("{\"a\": \"\\\"} {\\\"\"}{\"b\": 1} rest") ==
        "|{\"a\": \"\\\"} {\\\"\"}|{\"b\": 1} rest");
  const auto stream = split_stream("{\"a\": 1}\n{\"b\": 2}\n---\n{\"c\": 3}\n");
  REQUIRE(stream.size() == 3);
  CHECK(stream[1].index == 1);
  CHECK(stream[1].is_in_json_stream);
  CHECK(stream[2].follows_json_stream);
}

TEST_CASE("YAML between braces, templates and what follows a marker or a mark are no JSON stream") {
  for (const std::string_view text :
       {"{a: 1}\n{\"b\": 2}\n", "{{ x }}\n{{ y }}\n", "# c\n{\"a\": 1}\n{\"b\": 2}\n",
        "---\n{\"a\": 1}\n{\"b\": 2}\n", "\xEF\xBB\xBF{\"a\": 1}\n{\"b\": 2}\n"}) {
    CAPTURE(text);
    CHECK(split_stream(text).size() == 1);
  }
}

TEST_CASE("A marker with a comment right behind it begins no document right below a JSON object") {
  CHECK(split("a: 1\n---#c\nb: 2\n") == "|a: 1\n|#c\nb: 2\n");
  CHECK(split("{\"a\": 1}\n---#c\nb: 2\n") == "|{\"a\": 1}\n---#c\nb: 2\n");
  CHECK(split("{\"a\": 1}\n\n---#c\nb: 2\n") == "|{\"a\": 1}\n\n|#c\nb: 2\n");
  CHECK(split("{\"a\": 1,}\n---#c\nb: 2\n") == "|{\"a\": 1,}\n|#c\nb: 2\n");
  CHECK(split("[1]\n---#c\nb: 2\n") == "|[1]\n|#c\nb: 2\n");
}

TEST_CASE("CRLF, a byte order mark and a missing last newline change nothing") {
  CHECK(split("a: 1\r\n---\r\nb: 2") == "|a: 1\r\n|\r\nb: 2");
  CHECK(split("\xEF\xBB\xBF---\na: 1\n") == "|\na: 1\n");
}

TEST_CASE("Comments above the first marker begin its document, later ones end the one above") {
  const std::string_view text = "# one\n---\na: 1\n# two\n---\nb: 2\n";
  const auto documents = split_stream(text);
  REQUIRE(documents.size() == 2);
  CHECK(text.substr(documents[0].begin, documents[0].end) == "# one\n---\na: 1\n# two\n");
  CHECK(documents[0].has_marker);
  CHECK(text.substr(documents[1].begin, documents[1].end) == "---\nb: 2\n");
  CHECK(documents[1].index == 1);
}

TEST_CASE("An empty stream holds no document, a marker alone holds one") {
  CHECK(split_stream("").empty());
  CHECK(split_stream("\n\n").empty());
  CHECK(split_stream("---\n").size() == 1);
}

}  // namespace gpulint
