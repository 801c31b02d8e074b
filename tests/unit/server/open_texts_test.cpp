#include "compiler/server/open_texts.h"

#include <random>
#include <string>

#include <catch2/catch.hpp>

using namespace gpulint::server;

namespace {

[[nodiscard]] std::string after(const std::string& text, const std::vector<TextChange>& changes,
                                Units units = Units::utf16) {
  OpenTexts texts;
  texts.open({"file:///a", "/a", "yaml", 1, text});
  REQUIRE(texts.change("file:///a", 2, changes, units));
  CHECK(texts.find("file:///a")->version == 2);
  return texts.find("file:///a")->text;
}

}  // namespace

TEST_CASE("Changes are applied in order") {
  CHECK(after("a\nb\n", {{Place{0, 0}, {0, 1}, "x"}, {Place{1, 1}, {1, 1}, "y"}}) == "x\nby\n");
  CHECK(after("a", {{std::nullopt, {}, "new"}, {Place{0, 3}, {0, 3}, "er"}}) == "newer");
  CHECK(after("a\r\nb", {{Place{0, 1}, {1, 0}, ""}}) == "ab");
}

TEST_CASE("Changes count the client's units") {
  CHECK(after("😀a", {{Place{0, 2}, {0, 3}, "b"}}) == "😀b");
  CHECK(after("😀a", {{Place{0, 4}, {0, 5}, "b"}}, Units::utf8) == "😀b");
}

TEST_CASE("Changes outside of the text, and ends before begins, do no harm") {
  CHECK(after("ab", {{Place{9, 9}, {99, 9}, "c"}}) == "abc");
  CHECK(after("ab", {{Place{0, 2}, {0, 1}, "c"}}) == "abc");
  OpenTexts texts;
  CHECK_FALSE(texts.change("file:///b", 1, {}, Units::utf8));
}

TEST_CASE("Random changes give the text that they give in memory") {
  std::mt19937 random(7);  // NOLINT: the same numbers each time
  const auto pick = [&](std::size_t most) {
    return static_cast<std::uint32_t>(random() % (most + 1));
  };
  std::string text = "k: 日\r\nl: 😀\nm: x\n";
  for (int i = 0; i < 500; ++i) {
    const auto boundary = [&] {
      std::uint32_t at = pick(text.size());
      while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
      const bool splits = at > 0 && at < text.size() && text[at - 1] == '\r' && text[at] == '\n';
      return splits ? at + 1 : at;
    };
    const std::uint32_t one = boundary();
    const std::uint32_t other = boundary();
    const std::uint32_t begin = std::min(one, other);
    const std::uint32_t end = std::min(std::max(one, other), begin + 4);
    if (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) continue;
    const char* const words[] = {"", "a", "😀", "\r\n", "\n", "é: "};
    const std::string word = words[pick(5)];
    const Lines lines(text, Units::utf16);
    const TextChange change{lines.place(begin), lines.place(end), word};
    if (lines.offset(*change.begin) != begin || lines.offset(change.end) != end) continue;
    const std::string expected = text.substr(0, begin) + word + text.substr(end);
    text = after(text, {change});
    REQUIRE(text == expected);
  }
}

TEST_CASE("URIs and paths") {
  CHECK(path_of_uri("file:///a%20b/%E6%97%A5.yaml") == "/a b/日.yaml");
  CHECK(path_of_uri("file://localhost/a/./b/../c/") == "/a/c");
  CHECK(path_of_uri("FILE:///a%zz") == "/a%zz");
  CHECK(path_of_uri("untitled:Untitled-1").empty());
  CHECK(path_of_uri("file://").empty());
  CHECK(uri_of_path("/a b/日.yaml") == "file:///a%20b/%E6%97%A5.yaml");
}
