#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/engine/config.h"
#include "compiler/project/boundary.h"
#include "compiler/project/config_file.h"
#include "compiler/project/file_system.h"
#include "compiler/project/input_files.h"

using namespace gpulint;

namespace {

[[nodiscard]] std::vector<std::string> names_of(const Inputs& inputs, const SourceSet& sources) {
  std::vector<std::string> names;
  for (const InputFile& input : inputs.files) {
    std::string name = sources.file(input.id).path();
    for (const std::string& other : input.other_names) name += " = " + other;
    names.push_back(name);
  }
  return names;
}

[[nodiscard]] std::vector<std::string> found(const MemoryFiles& files, const Request& request,
                                             const Config& config = {}) {
  SourceSet sources;
  const Inputs inputs = read_inputs(request, config, files, sources);
  std::vector<std::string> result = names_of(inputs, sources);
  result.insert(result.end(), inputs.errors.begin(), inputs.errors.end());
  return result;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("files in memory have folders, links and one identity each") {
  MemoryFiles files({{"a/b.yaml", std::string("x")}, {"a/c.txt", std::string("y")}});
  files.add_link("d", "a");
  files.add_link("a/e.yaml", "b.yaml");
  files.add_link("a/gone.yaml", "nowhere.yaml");
  CHECK(files.status("a").kind == FileStatus::Kind::folder);
  CHECK(files.status("/a/b.yaml").kind == FileStatus::Kind::file);
  CHECK(files.status("a/x.yaml").kind == FileStatus::Kind::missing);
  CHECK(files.status("a/gone.yaml").is_link);
  CHECK(files.status("a/gone.yaml").kind == FileStatus::Kind::missing);
  CHECK(files.status("d/b.yaml").identity == files.status("./a/../a/b.yaml").identity);
  CHECK(files.status("a/e.yaml").identity == files.status("a/b.yaml").identity);
  CHECK(files.status("a/c.txt").identity != files.status("a/b.yaml").identity);
  CHECK(files.read("d/e.yaml").value().text == "x");
  CHECK_FALSE(files.read("a/gone.yaml").ok());
  CHECK(files.find(".", [](std::string_view) { return false; }).paths ==
        Names{"a/b.yaml", "a/e.yaml"});
  CHECK(resolve_links(files, "d/e.yaml") == "/a/b.yaml");
  CHECK_FALSE(files.replace("d/b.yaml", "x", "z").has_value());
  CHECK(files.read("a/b.yaml").value().text == "z");
  CHECK(files.replace("a/b.yaml", "x", "w")->message == "changed in the meantime; not written");
}

TEST_CASE("a file that is named twice is read once") {
  MemoryFiles files({{"a.yaml", std::string("x: 1")}});
  files.add_link("b.yaml", "a.yaml");
  Request request;
  request.paths = {"a.yaml", "./a.yaml", "/a.yaml", "b.yaml", "."};
  CHECK(found(files, request) == Names{"a.yaml = b.yaml = /a.yaml"});
}

TEST_CASE("standard input stands for the file of its name, wherever that is named") {
  const MemoryFiles files({{"-", std::string("new: 1")},
                           {"nodes.yaml", std::string("old: 1")},
                           {"other.yaml", std::string("x: 1")}});
  Request request;
  request.paths = {".", "-"};
  request.stdin_filename = "nodes.yaml";
  Config config;
  config.folder = ".";
  config.top.nodes = {"nodes.yaml", "*.yaml"};
  SourceSet sources;
  const Inputs inputs = read_inputs(request, config, files, sources);
  CHECK(names_of(inputs, sources) == Names{"nodes.yaml", "other.yaml"});
  CHECK(sources.file(inputs.files.front().id).text() == "new: 1");
}

TEST_CASE("links that lead out of the work tree are left out and told") {
  MemoryFiles files({{"repo/.git/HEAD", std::string("ref")},
                     {"repo/a.yaml", std::string("x: 1")},
                     {"secret.yaml", std::string("y: 1")}});
  files.add_link("repo/b.yaml", "../secret.yaml");
  Request request;
  request.paths = {"repo"};
  CHECK(
      found(files, request) ==
      Names{"repo/a.yaml", "repo/b.yaml: outside of /repo; not read (--allow-outside permits it)"});
  CHECK(refuse_leaving(files, "repo/b.yaml", "").has_value());
  CHECK_FALSE(refuse_leaving(files, "repo/a.yaml", "").has_value());
}

TEST_CASE("gpulint.yaml is looked for upward, to the top of the work tree") {
  MemoryFiles files({{"gpulint.yaml", std::string("x: 1")},
                     {"repo/.git/HEAD", std::string("ref")},
                     {"repo/gpulint.yml", std::string("x: 1")},
                     {"repo/a/b/c.yaml", std::string("x: 1")},
                     {"alone/.git/HEAD", std::string("ref")},
                     {"alone/d.yaml", std::string("x: 1")}});
  Request request;
  request.paths = {"repo/a/b/c.yaml"};
  CHECK(find_config_file(files, request) == "repo/gpulint.yml");
  request.paths = {"alone"};
  CHECK(find_config_file(files, request).empty());
  request.paths = {};
  CHECK(find_config_file(files, request) == "gpulint.yaml");
}
