#include "backends/uri.h"

#include <catch2/catch.hpp>

#include "tests/unit/backends/example_run.h"

using gpulint::absolute_uri;
using gpulint::repository_path;
using gpulint::repository_uri;
using gpulint::Run;
using gpulint::test::Example;

TEST_CASE("paths are reported from the root of the repository, wherever gpulint runs") {
  Example example;
  Run run = example.run();
  run.root = "/repo";
  run.folder = "/repo/charts";
  CHECK(repository_path(run, "values.yaml") == "charts/values.yaml");
  CHECK(repository_path(run, "./x/../values.yaml") == "charts/values.yaml");
  CHECK(repository_path(run, "../nodes.yaml") == "nodes.yaml");
  CHECK(repository_path(run, "/repo/a/b.yaml") == "a/b.yaml");
  CHECK(repository_path(run, "../../other/b.yaml") == "/other/b.yaml");
  CHECK(repository_path(run, "/repository/b.yaml") == "/repository/b.yaml");
}

TEST_CASE("where nothing is known of folders, relative paths stay relative") {
  Example example;
  const Run run = example.run();
  CHECK(repository_path(run, "./values.yaml") == "values.yaml");
  CHECK(repository_path(run, "/a/values.yaml") == "/a/values.yaml");
  CHECK(absolute_uri(run, "values.yaml").empty());
}

TEST_CASE("URIs are percent-encoded bytes, absolute ones have a scheme") {
  Example example;
  Run run = example.run();
  run.root = run.folder = "/repo";
  CHECK(repository_uri(run, "a b/ü%41:#?.yaml") == "a%20b/%C3%BC%2541%3A%23%3F.yaml");
  CHECK(repository_uri(run, "/x y.yaml") == "file:///x%20y.yaml");
  CHECK(repository_uri(run, "<stdin>") == "%3Cstdin%3E");
  CHECK(absolute_uri(run, "a b.yaml") == "file:///repo/a%20b.yaml");
  CHECK(absolute_uri(run, "<stdin>").empty());
}
