#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/span.h"

namespace gpulint {

/// A place as people count it: both from 1, columns in Unicode code points.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// Whether the path is that of standard input.
[[nodiscard]] constexpr bool is_standard_input(std::string_view path) { return path == "<stdin>"; }

/// The bytes of one input. Immutable and at a stable address for the whole run: string_views into
/// text() stay valid. At most 4 GiB - 1 bytes (Span offsets are 32 bits).
class SourceFile {
 public:
  /// How the bytes in memory relate to the bytes on disk. Fixes are only written to `utf8` files.
  enum class Encoding : std::uint8_t {
    utf8,
    transcoded,
    told,     ///< Serialised input, converted to one line of text: everything is at its begin.
    rendered  ///< What a program rendered: its lines are in no file. Never written.
  };

  SourceFile(FileId id, std::string path, std::string bytes, Encoding encoding = Encoding::utf8);
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  [[nodiscard]] FileId id() const { return id_; }
  /// As the user wrote it, or as found in a folder; `<stdin>` for standard input.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Encoding encoding() const { return encoding_; }
  /// Whether the text is the file's own, with the lines that editors show.
  [[nodiscard]] bool has_lines() const { return !is_told() && !is_rendered(); }
  [[nodiscard]] bool is_rendered() const { return encoding_ == Encoding::rendered; }
  [[nodiscard]] bool is_told() const { return encoding_ == Encoding::told; }
  /// All bytes, a leading byte order mark included.
  [[nodiscard]] std::string_view text() const { return bytes_; }
  [[nodiscard]] std::string_view text(Span span) const;
  [[nodiscard]] Span whole() const;

  /// Line and column of a byte offset; offsets past the end are clamped.
  /// A byte order mark has no column. Invalid UTF-8 bytes count one column each. In converted text
  /// line and column are 1.
  [[nodiscard]] Position position(std::uint32_t offset) const;
  /// The text of a line (from 1), without its line break; empty past the end.
  [[nodiscard]] std::string_view line_text(std::uint32_t line) const;
  /// Byte offset at which a line (from 1) starts.
  [[nodiscard]] std::uint32_t line_start(std::uint32_t line) const;
  [[nodiscard]] std::uint32_t line_count() const;

 private:
  [[nodiscard]] const std::vector<std::uint32_t>& line_starts() const;
  /// Code points that start in [begin, end); the cost does not grow with the distance.
  [[nodiscard]] std::uint32_t code_points(std::uint32_t begin, std::uint32_t end) const;

  FileId id_;
  Encoding encoding_;
  std::string path_;
  std::string bytes_;
  mutable std::once_flag line_starts_once_;
  mutable std::vector<std::uint32_t> line_starts_;  // made on first use: most files have no finding
  mutable std::once_flag blocks_once_;
  mutable std::vector<std::uint32_t> blocks_;  // code points before each block, for long lines
};

/// The inputs of a run. A copy shares the files with what it was copied from.
class SourceSet {
 public:
  FileId add(std::string path, std::string bytes,
             SourceFile::Encoding encoding = SourceFile::Encoding::utf8);
  /// Gives a file other bytes, and returns it as it was.
  std::shared_ptr<const SourceFile> replace(FileId id, std::string bytes);
  [[nodiscard]] const SourceFile& file(FileId id) const { return *files_[id]; }
  [[nodiscard]] const SourceFile& file(Span span) const { return *files_[span.file]; }
  [[nodiscard]] std::string_view text(Span span) const { return file(span).text(span); }
  [[nodiscard]] std::size_t size() const { return files_.size(); }
  /// From where relative paths lead: absolute; empty: unknown.
  [[nodiscard]] const std::string& folder() const { return folder_; }
  void set_folder(std::string folder) { folder_ = std::move(folder); }

  /// The places to show in place of those in rendered text.
  void show_instead(std::map<Span, Span> places) { shown_ = std::move(places); }
  [[nodiscard]] Span shown(Span span) const {
    const auto at = shown_.find(span);
    return at == shown_.end() ? span : at->second;
  }

  using Paths = std::set<std::string, std::less<>>;
  /// The paths of the files and of their folders. Computed on first use.
  [[nodiscard]] const Paths& paths() const;

 private:
  struct PathsOnce {
    std::once_flag once;
    Paths paths;
  };

  std::string folder_;
  std::map<Span, Span> shown_;
  std::vector<std::shared_ptr<const SourceFile>> files_;
  std::shared_ptr<PathsOnce> paths_ = std::make_shared<PathsOnce>();  // add() begins a new one
};

}  // namespace gpulint
