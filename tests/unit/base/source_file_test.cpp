#include "compiler/base/source_file.h"

#include <catch2/catch.hpp>

using gpulint::Position;
using gpulint::SourceFile;

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
