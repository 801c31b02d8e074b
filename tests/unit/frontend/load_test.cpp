#include "frontend/load.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace gpulint {
namespace {

namespace fs = std::filesystem;

/// A folder that is removed at the end.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "gpulint-load-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, const std::string& text = "a: 1\n") const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }
  [[nodiscard]] const fs::path& path() const { return path_; }
  /// What a walk finds, relative to the folder.
  [[nodiscard]] std::vector<std::string> found(const IsExcluded& is_excluded = {}) const {
    std::vector<std::string> result;
    for (const std::string& path : find_files(path_, is_excluded).paths) {
      result.push_back(fs::path(path).lexically_relative(path_));
    }
    return result;
  }

 private:
  fs::path path_;
};

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("Walks find YAML and JSON names in byte order") {
  const Folder folder;
  for (const auto* name : {"b.yml", "a.yaml", "B.json", "c.txt", "sub/d.yaml"}) folder.write(name);
  CHECK(folder.found() == Paths{"B.json", "a.yaml", "b.yml", "sub/d.yaml"});
}

TEST_CASE("Links to folders and circles are not entered") {
  const Folder folder;
  folder.write("sub/a.yaml");
  fs::create_directory_symlink(folder.path(), folder.path() / "sub" / "circle");
  fs::create_symlink("missing.yaml", folder.path() / "dangling.yaml");
  fs::create_symlink("sub/a.yaml", folder.path() / "link.yaml");
  CHECK(folder.found() == Paths{"link.yaml", "sub/a.yaml"});
}

TEST_CASE("Pipes found in a walk are passed over, named ones are refused at once") {
  const Folder folder;
  folder.write("a.yaml");
  const fs::path pipe = folder.path() / "pipe.yaml";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(folder.found() == Paths{"a.yaml"});
  const auto bytes = read_file(pipe);
  REQUIRE_FALSE(bytes.ok());
  CHECK(bytes.error().message.find("is a pipe") != std::string::npos);
}

TEST_CASE("What git ignores is left out, inside a repository only") {
  const Folder folder;
  for (const auto* name : {"a.yaml", "out/b.yaml", "keep/out.yaml", "x/gen.yaml", "x/kept.yaml"}) {
    folder.write(name);
  }
  folder.write(".gitignore", "/out/\n*.yaml\n!kept.yaml\n!/a.yaml\n");
  CHECK(folder.found().size() == 5);
  fs::create_directory(folder.path() / ".git");
  CHECK(folder.found() == Paths{"a.yaml", "x/kept.yaml"});
}

TEST_CASE("Excluded folders are not entered") {
  const Folder folder;
  folder.write("templates/a.yaml");
  folder.write("b.yaml");
  CHECK(folder.found([](std::string_view path) { return path.ends_with("templates"); }) ==
        Paths{"b.yaml"});
}

TEST_CASE("Files that cannot be read are Errors that name them") {
  const auto missing = read_file("no-such-file.yaml");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().message.starts_with("no-such-file.yaml: "));
  CHECK_FALSE(read_file("/").ok());
  CHECK_FALSE(read_file("/dev/zero").ok());
}

}  // namespace gpulint
