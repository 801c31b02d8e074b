#include "compiler/base/source_file.h"

#include <catch2/catch.hpp>

using gpulint::Position;
using gpulint::SourceFile;
using gpulint::SourceSet;

namespace {

bool at(const SourceFile& file, std::uint32_t offset, std::uint32_t line, std::uint32_t column) {
  const Position p = file.position(offset);
  CAPTURE(offset, p.line, p.column);
  return p.line == line && p.column == column;
}

}  // namespace

TEST_CASE("columns count code points, a byte order mark counts nothing") {
  const SourceFile file(0, "a.yaml", "\xEF\xBB\xBFké: ö\nb: 1");
  CHECK(at(file, 3, 1, 1));
  CHECK(at(file, 6, 1, 3));
  CHECK(at(file, 8, 1, 5));
  CHECK(at(file, 11, 2, 1));
  CHECK(file.line_text(1) == "ké: ö");
}

TEST_CASE("CRLF belongs to the line break") {
  const SourceFile file(0, "a.yaml", "a: 1\r\nb: 2\r\n");
  CHECK(file.line_text(1) == "a: 1");
  CHECK(at(file, 6, 2, 1));
  CHECK(file.line_count() == 3);
}

TEST_CASE("an offset past the end is the end") {
  const SourceFile file(0, "a.yaml", "a: 1");
  CHECK(at(file, 99, 1, 5));
  CHECK(file.line_text(2).empty());
}

TEST_CASE("bytes that are no UTF-8 count a column each") {
  const SourceFile file(
      0, "a.yaml", "a\x80\xBFz\n\xE2\x82z\n\xE0\x80\x80z\n\xED\xA0\x80z\n\xF0\x9F\x98\x80\x80z");
  CHECK(at(file, 3, 1, 4));   // two continuation bytes that continue nothing
  CHECK(at(file, 7, 2, 3));   // a sequence that breaks off
  CHECK(at(file, 12, 3, 4));  // an overlong one
  CHECK(at(file, 17, 4, 4));  // half of a surrogate pair
  CHECK(at(file, 24, 5, 3));  // one continuation byte too many
}

TEST_CASE("columns in a line of many kilobytes count code points, too") {
  std::string line;
  for (int i = 0; i < 3000; ++i) line += "é";  // two bytes each
  const SourceFile file(0, "a.json", "{}\n" + line + "x\ny");
  CHECK(at(file, 3, 2, 1));
  CHECK(at(file, 3 + 2 * 1500, 2, 1501));
  CHECK(at(file, 3 + 2 * 3000, 2, 3001));
  CHECK(at(file, 3 + 2 * 3000 + 1, 2, 3002));
  CHECK(at(file, 3 + 2 * 3000 + 2, 3, 1));
}

TEST_CASE("code points across the boundaries of blocks count once") {
  std::string line;
  for (int i = 0; i < 4096; ++i) line += "€";  // three bytes: 1024 is no multiple
  const SourceFile file(0, "a.json", line + "x");
  for (std::uint32_t i = 0; i <= 4096; i += 13) CHECK(at(file, 3 * i, 1, i + 1));
}

TEST_CASE("a set of files knows their paths and folders, and a copy those of its own") {
  SourceSet sources;
  sources.add("apps/base/pod.yaml", "");
  CHECK(sources.paths() == SourceSet::Paths{"apps", "apps/base", "apps/base/pod.yaml"});
  SourceSet copy = sources;
  copy.add("apps/pod.yaml", "");
  CHECK(copy.paths().contains("apps/pod.yaml"));
  CHECK_FALSE(sources.paths().contains("apps/pod.yaml"));
}
