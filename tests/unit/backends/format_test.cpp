#include <cstdlib>
#include <fstream>
#include <utility>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backends/stream_origin.h"
#include "tests/unit/backends/example_run.h"

using gpulint::Backend;
using gpulint::Run;
using gpulint::test::Example;

namespace {

/// Without style sheet, script and their hashes: they are files of their own.
std::string without_assets(std::string page) {
  for (const std::string tag : {"style>", "script>"}) {
    const std::size_t begin = page.rfind("<" + tag);
    const std::size_t end = page.rfind("</" + tag);
    page.erase(begin, end - begin);
  }
  for (std::size_t hash = 0; (hash = page.find("'sha256-")) != std::string::npos;) {
    page.erase(hash, page.find(';', hash) - hash);
  }
  return page;
}

void check_goldens(const std::string& name, Example example) {
  const Run run = example.run();
  for (const Backend& backend : gpulint::all_backends()) {
    std::string output = gpulint::test::emit(backend.name, run);
    if (backend.name == "html") output = without_assets(std::move(output));
    gpulint::test::check_golden(fmt::format("{}.{}", name, backend.extension), output);
  }
}

}  // namespace

TEST_CASE("every format prints the ordinary example as its golden file says") {
  check_goldens("ordinary", gpulint::test::ordinary_example());
}

TEST_CASE("every format keeps a hostile example inside its frame, as its golden file says") {
  check_goldens("hostile", gpulint::test::hostile_example());
}

TEST_CASE("every format prints a run without findings as its golden file says") {
  check_goldens("clean", gpulint::test::clean_example());
}

TEST_CASE("every format ends with a line break and is the same twice") {
  Example example = gpulint::test::hostile_example();
  const Run run = example.run();
  CHECK(gpulint::all_backends().size() > 10);
  for (const Backend& backend : gpulint::all_backends()) {
    CAPTURE(backend.name);
    const std::string output = gpulint::test::emit(backend.name, run);
    CHECK(output.ends_with('\n'));
    CHECK(output == gpulint::test::emit(backend.name, run));
  }
}

TEST_CASE("every format tells what a part of a stream was made of") {
  Example example = gpulint::test::ordinary_example();
  Run run = example.run();
  const gpulint::Diagnostic& taint = run.diagnostics.back();
  const gpulint::SourceFile& file = run.sources.file(taint.span);
  run.origins = {{file.whole(), "charts/app/templates/pod.yaml"}};
  for (const Backend& backend : gpulint::all_backends()) {
    CAPTURE(backend.name);
    CHECK(gpulint::test::emit(backend.name, run).find("charts/app/templates/pod.yaml") !=
          std::string::npos);
  }
}

TEST_CASE("an origin ends where its part of the stream does") {
  Example example = gpulint::test::ordinary_example();
  Run run = example.run();
  run.origins = {{{0, 10, 20}, "a.yaml"}, {{0, 30, 40}, "b.yaml"}};
  CHECK(gpulint::origin_of(run, {0, 5, 6}).empty());
  CHECK(gpulint::origin_of(run, {0, 10, 90}) == "a.yaml");
  CHECK(gpulint::origin_of(run, {0, 25, 26}).empty());
  CHECK(gpulint::origin_of(run, {0, 30, 30}) == "b.yaml");
  CHECK(gpulint::origin_of(run, {1, 30, 30}).empty());
}

TEST_CASE("the page shows placement and compiled pods where there are any") {
  Example example = gpulint::test::cluster_example();
  gpulint::test::check_golden("cluster.html",
                              without_assets(gpulint::test::emit("html", example.run())));
}

TEST_CASE("colour and links appear only when asked for") {
  Example example = gpulint::test::ordinary_example();
  Run run = example.run();
  CHECK(gpulint::test::emit("text", run).find('\x1b') == std::string::npos);
  run.presentation.color = true;
  CHECK(gpulint::test::emit("text", run).find("\x1b[1;31merror[untolerated-taint]\x1b[0m") !=
        std::string::npos);
  CHECK(gpulint::test::emit("text", run).find("\x1b]8;") == std::string::npos);
  run.presentation.hyperlinks = true;
  run.folder = "/repo";
  CHECK(gpulint::test::emit("text", run)
            .find("\x1b]8;;file:///repo/templates/a%20b.yaml\x1b\\templates/a "
                  "b.yaml:2:1\x1b]8;;\x1b\\") != std::string::npos);
}

TEST_CASE("no terminal escape of the input reaches people's formats") {
  Example example = gpulint::test::hostile_example();
  const Run run = example.run();
  for (const std::string_view format : {"text", "concise"}) {
    const std::string output = gpulint::test::emit(format, run);
    CAPTURE(format, output);
    CHECK(output.find_first_of("\x1b\x01\x02\r\t\x07") == std::string::npos);
    CHECK(output.find("\xE2\x80\xAE") == std::string::npos);  // right-to-left override
    CHECK(output.find('\xFF') == std::string::npos);
  }
}

// Not a test: writes whole pages for ci/check_html.py and for people to look at.
TEST_CASE("write the example pages", "[.render]") {
  const char* folder = std::getenv("GPULINT_RENDER_TO");
  REQUIRE(folder != nullptr);
  const std::pair<std::string, Example (*)()> pages[] = {
      {"cluster", gpulint::test::cluster_example},
      {"hostile", gpulint::test::hostile_example},
      {"clean", gpulint::test::clean_example}};
  for (const auto& [name, make] : pages) {
    Example example = make();
    std::ofstream(std::string(folder) + "/" + name + ".html")
        << gpulint::test::emit("html", example.run());
  }
}
