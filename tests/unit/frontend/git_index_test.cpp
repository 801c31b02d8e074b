#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "frontend/walk.h"

using gpulint::GitIndex;

namespace {

using Paths = std::vector<std::string>;

constexpr std::uint32_t file_mode = 0100644;
constexpr std::uint32_t folder_mode = 0040000;

std::string number(std::uint32_t value) {
  return {static_cast<char>(value >> 24U), static_cast<char>(value >> 16U & 0xFFU),
          static_cast<char>(value >> 8U & 0xFFU), static_cast<char>(value & 0xFFU)};
}

struct Entry {
  std::string name;
  std::uint32_t mode = file_mode;
  bool has_more_flags = false;
};

/// An index as gitformat-index(5) describes it; `hash_bytes`: 20 or 32. Times, sizes and hashes,
/// which nobody reads here, are zero.
std::string index_of(std::uint32_t version, const std::vector<Entry>& entries,
                     const std::string& extensions = "", std::size_t hash_bytes = 20) {
  std::string bytes = "DIRC" + number(version) + number(static_cast<std::uint32_t>(entries.size()));
  std::string before;
  for (const Entry& entry : entries) {
    std::string one(24, '\0');
    one += number(entry.mode) + std::string(12 + hash_bytes, '\0');
    one += static_cast<char>(entry.has_more_flags ? 0x40 : 0);
    one += static_cast<char>(entry.name.size());
    if (entry.has_more_flags) one += std::string("\x20\0", 2);
    if (version == 4) {
      std::size_t shared = 0;
      while (shared < before.size() && before[shared] == entry.name[shared]) ++shared;
      one += static_cast<char>(before.size() - shared);
      one += entry.name.substr(shared) + '\0';
    } else {
      one += entry.name;
      one.append(8 - one.size() % 8, '\0');
    }
    bytes += one;
    before = entry.name;
  }
  return bytes + extensions + std::string(hash_bytes, '\0');
}

std::string extension(const std::string& name, const std::string& content) {
  return name + number(static_cast<std::uint32_t>(content.size())) + content;
}

const std::vector<Entry> three = {{.name = "a.yaml"}, {.name = "b/c.yaml"}, {.name = "b/cd.yaml"}};
const Paths three_paths = {"a.yaml", "b/c.yaml", "b/cd.yaml"};

}  // namespace

TEST_CASE("each version of the index lists its paths, with either hash") {
  for (const std::uint32_t version : {2U, 3U, 4U}) {
    for (const std::size_t hash_bytes : {20U, 32U}) {
      CAPTURE(version, hash_bytes);
      CHECK(GitIndex::parse(index_of(version, three, "", hash_bytes)).paths() == three_paths);
    }
  }
}

TEST_CASE("entries with more flags are two bytes longer from version 3 on") {
  for (const std::uint32_t version : {3U, 4U}) {
    std::vector<Entry> entries = three;
    entries[1].has_more_flags = true;
    CAPTURE(version);
    CHECK(GitIndex::parse(index_of(version, entries)).paths() == three_paths);
  }
}

TEST_CASE("names of every length are read past their padding") {
  std::vector<Entry> entries;
  Paths paths;
  for (std::size_t length = 1; length <= 40; ++length) {
    entries.push_back({.name = std::string(length, 'x')});
    paths.emplace_back(length, 'x');
  }
  CHECK(GitIndex::parse(index_of(2, entries)).paths() == paths);
}

TEST_CASE("extensions are passed over") {
  const std::string cache = extension("TREE", "whatever");
  CHECK(GitIndex::parse(index_of(2, three, cache + extension("REUC", ""))).paths() == three_paths);
}

TEST_CASE("what is tracked is a path, and its folders have tracked files below") {
  const GitIndex index = GitIndex::parse(index_of(2, three));
  CHECK(index.tracks("b/c.yaml"));
  CHECK_FALSE(index.tracks("b"));
  CHECK_FALSE(index.tracks("b/c"));
  CHECK(index.tracks_below("b"));
  CHECK_FALSE(index.tracks_below("b/c"));  // not the `b/cd.yaml` that begins alike
  CHECK_FALSE(index.tracks_below("a.yaml"));
}

TEST_CASE("all below a folder of a sparse index is tracked") {
  const GitIndex index = GitIndex::parse(
      index_of(3, {{.name = "a.yaml"}, {.name = "far/away/", .mode = folder_mode}}));
  CHECK(index.paths() == Paths{"a.yaml"});
  CHECK(index.tracks("far/away/x/y.yaml"));
  CHECK_FALSE(index.tracks("far/awayx"));
  CHECK(index.tracks_below("far"));
  CHECK(index.tracks_below("far/away/x"));
  CHECK_FALSE(index.tracks_below("fa"));
}

TEST_CASE("what is no index lists nothing") {
  const std::string whole = index_of(2, three);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK(GitIndex::parse(whole.substr(0, size)).paths().empty());
  }
  CHECK(GitIndex::parse(index_of(1, three)).paths().empty());
  CHECK(GitIndex::parse(index_of(5, three)).paths().empty());
  CHECK(GitIndex::parse(index_of(2, three, extension("TREE", "x").substr(0, 8))).paths().empty());
}

TEST_CASE("a damaged index lists no more than a multiple of its bytes") {
  const std::string whole = index_of(4, three, extension("link", std::string(20, '\1')));
  std::mt19937 random(19);
  for (int turn = 0; turn < 5000; ++turn) {
    std::string broken = whole;
    for (unsigned count = 1 + random() % 8; count > 0; --count) {
      broken[random() % broken.size()] = static_cast<char>(random() % 256);
    }
    std::size_t bytes = 0;
    const GitIndex index = GitIndex::parse(broken);
    for (const std::string& path : index.paths()) bytes += path.size();
    CHECK(bytes <= 9 * broken.size());
  }
}
