#include "compiler/base/glob.h"

#include <string>

#include <catch2/catch.hpp>

using gpulint::glob_matches;

TEST_CASE("a pattern without a slash matches the last component anywhere") {
  CHECK(glob_matches("*.yaml", "values.yaml"));
  CHECK(glob_matches("*.yaml", "a/b/values.yaml"));
  CHECK_FALSE(glob_matches("*.yaml", "values.yml"));
  CHECK(glob_matches("node_modules", "a/node_modules/b/c.yaml"));
}

TEST_CASE("a star stays within a folder, a double star does not") {
  CHECK(glob_matches("a/*.yaml", "a/x.yaml"));
  CHECK_FALSE(glob_matches("a/*.yaml", "a/b/x.yaml"));
  CHECK(glob_matches("a/**", "a/b/x.yaml"));
  CHECK(glob_matches("a/**/x.yaml", "a/x.yaml"));
  CHECK(glob_matches("a/**/x.yaml", "a/b/c/x.yaml"));
  CHECK_FALSE(glob_matches("a/**/x.yaml", "a/b/cx.yaml"));
  CHECK(glob_matches("**/templates/**", "charts/x/templates/d.yaml"));
  CHECK(glob_matches("**/templates/**", "templates/d.yaml"));
  CHECK_FALSE(glob_matches("**/templates/**", "mytemplates/d.yaml"));
  CHECK(glob_matches("rendered/**", "rendered/a/b.yaml"));
}

TEST_CASE("a folder's name matches what is below it") {
  CHECK(glob_matches("charts/x", "charts/x/values.yaml"));
  CHECK(glob_matches("charts/x/", "charts/x/values.yaml"));
  CHECK_FALSE(glob_matches("charts/x", "charts/xy/values.yaml"));
  CHECK(glob_matches("./charts", "charts/x/values.yaml"));
}

TEST_CASE("classes and question marks match one character") {
  CHECK(glob_matches("node?.yaml", "node1.yaml"));
  CHECK(glob_matches("node[0-9].yaml", "node7.yaml"));
  CHECK_FALSE(glob_matches("node[!0-9].yaml", "node7.yaml"));
  CHECK(glob_matches("a[.yaml", "a[.yaml"));
}

TEST_CASE("hostile globs take no exponential time") {
  std::string folders;
  for (int i = 0; i < 60; ++i) folders += "**/a";
  std::string path;
  for (int i = 0; i < 1000; ++i) path += "a/";
  CHECK_FALSE(glob_matches(folders + "b", path));
  std::string unclosed;
  for (int i = 0; i < 9000; ++i) unclosed += "[a";
  CHECK_FALSE(glob_matches(unclosed, path));
}
