#include "compiler/project/write_file.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/harness/skip.h"

namespace {

namespace fs = std::filesystem;
using gpulint::replace_file;
using gpulint::write_file;

/// A folder that is gone after the test.
class Folder {
 public:
  Folder() {
    std::string name = fs::temp_directory_path() / "gpulint-write-XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code error;
    fs::permissions(path_, fs::perms::owner_all, error);
    fs::remove_all(path_, error);
  }
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void put(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

[[nodiscard]] std::string get(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

[[nodiscard]] struct stat status(const std::string& path) {
  struct stat found{};
  ::stat(path.c_str(), &found);
  return found;
}

/// Runs `work` in a child and returns its exit status, or 128 + the signal that ended it.
template <class Work>
[[nodiscard]] int in_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int result = 0;
  ::waitpid(child, &result, 0);
  return WIFEXITED(result) ? WEXITSTATUS(result) : 128 + WTERMSIG(result);
}

}  // namespace

TEST_CASE("Replacing keeps the mode and leaves nothing beside it") {
  const Folder folder;
  const std::string path = folder / "a.yaml";
  put(path, "old");
  fs::permissions(path, fs::perms(0640));
  CHECK_FALSE(replace_file(path, "old", "new").has_value());
  CHECK(get(path) == "new");
  CHECK((status(path).st_mode & 07777U) == 0640U);
  CHECK(folder.count() == 1);
}

TEST_CASE("Replacing keeps the owner") {
  if (::geteuid() != 0) {
    gpulint::test::skip("only root can give a file away");
  }
  const Folder folder;
  const std::string path = folder / "a.yaml";
  put(path, "old");
  REQUIRE(::chown(path.c_str(), 12345, 54321) == 0);
  CHECK_FALSE(replace_file(path, "old", "new").has_value());
  CHECK(status(path).st_uid == 12345);
  CHECK(status(path).st_gid == 54321);
}

TEST_CASE("A link stays a link and its target is replaced where it is") {
  const Folder folder;
  fs::create_directory(folder / "real");
  put(folder / "real/a.yaml", "old");
  fs::create_symlink("real/a.yaml", folder / "one");
  fs::create_symlink("one", folder / "two");
  CHECK_FALSE(replace_file(folder / "two", "old", "new").has_value());
  CHECK(fs::is_symlink(folder / "two"));
  CHECK(fs::is_symlink(folder / "one"));
  CHECK(get(folder / "real/a.yaml") == "new");
}

TEST_CASE("A file that changed meanwhile is left alone") {
  const Folder folder;
  const std::string path = folder / "a.yaml";
  for (const std::string now : {"someone else's", "ol", "old ", ""}) {
    put(path, now);
    CHECK(replace_file(path, "old", "new").has_value());
    CHECK(get(path) == now);
  }
  fs::remove(path);
  CHECK(replace_file(path, "old", "new").has_value());
  CHECK(folder.count() == 0);
}

TEST_CASE("What is no regular file is not replaced") {
  const Folder folder;
  fs::create_directory(folder / "folder");
  ::mkfifo((folder / "pipe").c_str(), 0600);
  CHECK(replace_file(folder / "folder", "", "new").has_value());
  CHECK(replace_file(folder / "pipe", "", "new").has_value());
  CHECK(fs::is_fifo(folder / "pipe"));
}

TEST_CASE("A full disk leaves the old bytes and no rest") {
  const Folder folder;
  const std::string path = folder / "a.yaml";
  put(path, "old");
  const int result = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);  // writing beyond the limit then fails like a full disk
    const rlimit limit{100, 100};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    return replace_file(path, "old", std::string(1000, 'x')).has_value() ? 0 : 1;
  });
  CHECK(result == 0);
  CHECK(get(path) == "old");
  CHECK(folder.count() == 1);
}

TEST_CASE("A read-only folder leaves the old bytes") {
  const Folder folder;
  const std::string path = folder / "a.yaml";
  put(path, "old");
  fs::permissions(path, fs::perms(0666));
  fs::permissions(folder.path(), fs::perms(0555));
  constexpr int is_refused = 0;
  constexpr int is_written = 1;
  constexpr int is_still_root = 2;
  const int result = in_child([&] {
    // Root writes everywhere, so the child is another user.
    if (::geteuid() == 0 && (::setgid(12345) != 0 || ::setuid(12345) != 0)) return is_still_root;
    return replace_file(path, "old", "new").has_value() ? is_refused : is_written;
  });
  if (result == is_still_root) gpulint::test::skip("root cannot become another user here");
  CHECK(result == is_refused);
  CHECK(get(path) == "old");
}

TEST_CASE("Killed at any time, the file is old or new and never between") {
  const Folder folder;
  const std::string path = folder / "a.yaml";
  const std::string old(2'000'000, 'o');
  const std::string fresh(2'000'000, 'n');
  for (useconds_t delay = 0; delay < 8000; delay += 400) {
    put(path, old);
    const pid_t child = ::fork();
    if (child == 0) {
      static_cast<void>(replace_file(path, old, fresh));
      ::_exit(0);
    }
    ::usleep(delay);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::string now = get(path);
    CHECK((now == old || now == fresh));
  }
}

TEST_CASE("Output files are made with the usual mode and replaced whole") {
  const Folder folder;
  const mode_t before = ::umask(027);
  CHECK_FALSE(write_file(folder / "out", "first").has_value());
  ::umask(before);
  CHECK((status(folder / "out").st_mode & 07777U) == 0640U);
  CHECK_FALSE(write_file(folder / "out", "2").has_value());
  CHECK(get(folder / "out") == "2");
  CHECK((status(folder / "out").st_mode & 07777U) == 0640U);
  CHECK(folder.count() == 1);
}

TEST_CASE("Output goes through links, into pipes and devices") {
  const Folder folder;
  fs::create_symlink("target", folder / "link");
  CHECK_FALSE(write_file(folder / "link", "text").has_value());
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(get(folder / "target") == "text");
  CHECK_FALSE(write_file("/dev/null", "text").has_value());
  CHECK(fs::is_character_file("/dev/null"));
  CHECK(write_file("/dev/full", "text").has_value());
  CHECK(write_file(folder.path(), "text").has_value());
  CHECK(write_file(folder / "no/such/folder", "text").has_value());
}
