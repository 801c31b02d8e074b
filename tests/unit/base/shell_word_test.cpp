#include "compiler/base/shell_word.h"

#include <catch2/catch.hpp>

using gpulint::shell_word;

// POSIX.1-2017, Shell Command Language, 2.2.2: all characters between single quotes are literal.
TEST_CASE("a word is quoted where a shell would read more in it") {
  CHECK(shell_word("../a-b/values_1.yaml") == "../a-b/values_1.yaml");
  CHECK(shell_word("team=ml,x:y@z") == "team=ml,x:y@z");
  CHECK(shell_word("my files/pod.yaml") == "'my files/pod.yaml'");
  CHECK(shell_word("a;rm -rf $HOME") == "'a;rm -rf $HOME'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("*") == "'*'");
  CHECK(shell_word("~") == "'~'");
  CHECK(shell_word("") == "''");
}
