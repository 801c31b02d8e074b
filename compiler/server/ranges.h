#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "compiler/server/client.h"
#include "compiler/server/workspace.h"

namespace gpulint::server {

/// Whether the cursor is in the span, or at its end.
[[nodiscard]] inline bool covers(Span span, FileId file, std::uint32_t offset) {
  return span.file == file && span.begin <= offset && offset <= span.end;
}

/// Positions of a client in the files of a checked project. All arguments must outlive it.
class Ranges {
 public:
  Ranges(const CheckedRoot& root, const OpenTexts& texts, Units units)
      : root_(root), texts_(texts), units_(units) {}

  /// `{start, end}`.
  [[nodiscard]] Json range(Span span);
  /// The URI that the client uses, or `file:` with the path.
  [[nodiscard]] std::string uri(FileId file) const;
  /// Null if the file is not open.
  [[nodiscard]] const OpenText* open_text(FileId file) const;
  [[nodiscard]] std::uint32_t offset(FileId file, Place place);

 private:
  /// The lines of a file, from the first character that the client sees.
  struct FileLines {
    std::uint32_t begin = 0;  ///< 3 for a file with a byte order mark that is not open.
    Lines lines;
  };
  [[nodiscard]] const FileLines& lines_of(FileId file);

  const CheckedRoot& root_;
  const OpenTexts& texts_;
  Units units_;
  std::map<FileId, FileLines> lines_;
};

}  // namespace gpulint::server
