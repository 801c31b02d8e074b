#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/base/glob.h"

using gpulint::GitPattern;

namespace {

/// Those of the texts that the pattern matches.
std::vector<std::string_view> matched(std::string_view pattern,
                                      const std::vector<std::string_view>& texts) {
  std::vector<std::string_view> found;
  for (const std::string_view text : texts) {
    if (GitPattern(pattern).matches(text)) found.push_back(text);
  }
  return found;
}

using Texts = std::vector<std::string_view>;

}  // namespace

// gitignore(5), PATTERN FORMAT, and glob(7) for sets.

TEST_CASE("a star and a question mark stay within a folder") {
  CHECK(matched("*.yaml", {".yaml", "a.yaml", "a/b.yaml", "a.yml"}) == Texts{".yaml", "a.yaml"});
  CHECK(matched("a*b*c", {"abc", "a1b2c", "a/bc", "abcd"}) == Texts{"abc", "a1b2c"});
  CHECK(matched("a?c", {"abc", "a/c", "ac"}) == Texts{"abc"});
  CHECK(matched("a/*", {"a/b", "a/b/c", "a/"}) == Texts{"a/b", "a/"});
}

TEST_CASE("two stars stand for folders where they are a whole name, else for one") {
  const Texts texts{"b", "x/b", "x/y/b", "xb"};
  CHECK(matched("**/b", texts) == Texts{"b", "x/b", "x/y/b"});
  CHECK(matched("a/**", {"a", "a/b", "a/b/c"}) == Texts{"a/b", "a/b/c"});
  CHECK(matched("a/**/b", {"a/b", "a/x/b", "a/x/y/b", "a/xb"}) == Texts{"a/b", "a/x/b", "a/x/y/b"});
  CHECK(matched("x**b", {"xb", "xyb", "x/b"}) == Texts{"xb", "xyb"});
}

TEST_CASE("sets hold bytes, ranges and classes, and never a slash") {
  const Texts texts{"a", "b", "c", "-", "]", "!", "/"};
  CHECK(matched("[ab]", texts) == Texts{"a", "b"});
  CHECK(matched("[a-b]", texts) == Texts{"a", "b"});
  CHECK(matched("[!a-b]", texts) == Texts{"c", "-", "]", "!"});
  CHECK(matched("[^a-c]", texts) == Texts{"-", "]", "!"});
  CHECK(matched("[]-]", texts) == Texts{"-", "]"});
  CHECK(matched("[a-]", texts) == Texts{"a", "-"});
  CHECK(matched("[[:alpha:]]", texts) == Texts{"a", "b", "c"});
  CHECK(matched("[^[:alpha:]]", texts) == Texts{"-", "]", "!"});
  CHECK(matched("[[:digit:]a]", {"1", "a", "b"}) == Texts{"1", "a"});
  CHECK(matched("[\\]]", texts) == Texts{"]"});
}

TEST_CASE("a backslash takes the next character as it stands") {
  CHECK(matched("\\*", {"*", "a"}) == Texts{"*"});
  CHECK(matched("\\[a]", {"[a]", "a"}) == Texts{"[a]"});
  CHECK(matched("a\\ ", {"a ", "a"}) == Texts{"a "});
}

TEST_CASE("what is not closed matches nothing") {
  for (const char* pattern : {"[", "[a", "a[", "[]", "[!]", "[[:nope:]]", "[[:alpha:]", "a\\"}) {
    CAPTURE(pattern);
    CHECK(matched(pattern, {"", "a", "[", "[a", "a[", "[]", "]", "a\\"}).empty());
  }
}

TEST_CASE("bytes beyond ASCII are bytes") {
  CHECK(GitPattern("é").matches("é"));
  CHECK_FALSE(GitPattern("?").matches("é"));
  CHECK(GitPattern("??").matches("é"));
}

TEST_CASE("stars that fail take no exponential time") {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  CHECK_FALSE(GitPattern(pattern + "b").matches(std::string(4000, 'a')));
  std::string folders;
  for (int i = 0; i < 200; ++i) folders += "**/a/";
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "a/";
  CHECK_FALSE(GitPattern(folders + "b").matches(text));
}
