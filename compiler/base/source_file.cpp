#include "compiler/base/source_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "compiler/base/check.h"

namespace gpulint {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::uint32_t block_size = 1024;

[[nodiscard]] bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Bytes of the code point that starts at `at`: 2 to 4 where the text is valid UTF-8 there (The
/// Unicode Standard, table 3-7), else 1.
[[nodiscard]] std::size_t code_point_size(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at);
  if (lead < 0xC2 || lead > 0xF4) return 1;
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() - at < size) return 1;
  for (std::size_t i = 1; i < size; ++i) {
    if (!continues(text[at + i])) return 1;
  }
  const unsigned second = byte(at + 1);
  const bool is_overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool is_no_scalar = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  return is_overlong || is_no_scalar ? 1 : size;
}

/// Whether a byte has a column of its own: it is not inside of a code point that starts before it.
[[nodiscard]] bool has_column(std::string_view text, std::size_t at) {
  if (!continues(text[at])) return true;
  for (std::size_t back = 1; back < 4 && back <= at; ++back) {
    if (!continues(text[at - back])) return code_point_size(text, at - back) <= back;
  }
  return true;
}

/// Columns in the bytes [begin, end) of a text.
[[nodiscard]] std::uint32_t count_columns(std::string_view text, std::size_t begin,
                                          std::size_t end) {
  std::uint32_t count = 0;
  for (std::size_t at = begin; at < end; ++at) count += has_column(text, at) ? 1U : 0U;
  return count;
}

}  // namespace

SourceFile::SourceFile(FileId id, std::string path, std::string bytes, Encoding encoding)
    : id_(id), encoding_(encoding), path_(std::move(path)), bytes_(std::move(bytes)) {
  GPULINT_CHECK(bytes_.size() < UINT32_MAX);
}

std::string_view SourceFile::text(Span span) const {
  GPULINT_CHECK(span.begin <= span.end && span.end <= bytes_.size());
  return text().substr(span.begin, span.size());
}

Span SourceFile::whole() const { return {id_, 0, static_cast<std::uint32_t>(bytes_.size())}; }

const std::vector<std::uint32_t>& SourceFile::line_starts() const {
  std::call_once(line_starts_once_, [this] {
    line_starts_.push_back(0);
    for (std::size_t at = 0; (at = bytes_.find('\n', at)) != std::string::npos;) {
      line_starts_.push_back(static_cast<std::uint32_t>(++at));
    }
  });
  return line_starts_;
}

Position SourceFile::position(std::uint32_t offset) const {
  if (!has_lines()) return {};
  const auto& starts = line_starts();
  offset = std::min(offset, static_cast<std::uint32_t>(bytes_.size()));
  const auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  const auto line = static_cast<std::uint32_t>(next - starts.begin());
  const bool after_mark = line == 1 && offset >= 3 && text().starts_with(byte_order_mark);
  return {line, code_points(starts[line - 1], offset) + (after_mark ? 0 : 1)};
}

std::uint32_t SourceFile::code_points(std::uint32_t begin, std::uint32_t end) const {
  if (end - begin <= block_size) return count_columns(text(), begin, end);
  std::call_once(blocks_once_, [this] {
    std::uint32_t sum = 0;
    for (std::size_t at = 0; at <= bytes_.size(); at += block_size) {
      blocks_.push_back(sum);
      sum += count_columns(text(), at, std::min(at + block_size, bytes_.size()));
    }
  });
  const auto before = [this](std::uint32_t offset) {
    const std::uint32_t block = offset / block_size;
    return blocks_[block] + count_columns(text(), std::size_t{block} * block_size, offset);
  };
  return before(end) - before(begin);
}

std::string_view SourceFile::line_text(std::uint32_t line) const {
  const auto& starts = line_starts();
  if (line == 0 || line > starts.size()) return {};
  const std::size_t end = line < starts.size() ? starts[line] - 1 : bytes_.size();
  std::string_view rest = text().substr(starts[line - 1], end - starts[line - 1]);
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  if (line == 1 && rest.starts_with(byte_order_mark)) rest.remove_prefix(3);
  return rest;
}

std::uint32_t SourceFile::line_start(std::uint32_t line) const {
  const auto& starts = line_starts();
  GPULINT_CHECK(line >= 1 && line <= starts.size());
  return starts[line - 1];
}

std::uint32_t SourceFile::line_count() const {
  return static_cast<std::uint32_t>(line_starts().size());
}

FileId SourceSet::add(std::string path, std::string bytes, SourceFile::Encoding encoding) {
  const auto id = static_cast<FileId>(files_.size());
  files_.push_back(
      std::make_shared<const SourceFile>(id, std::move(path), std::move(bytes), encoding));
  paths_ = std::make_shared<PathsOnce>();
  return id;
}

std::shared_ptr<const SourceFile> SourceSet::replace(FileId id, std::string bytes) {
  const SourceFile& file = *files_[id];
  return std::exchange(files_[id], std::make_shared<const SourceFile>(
                                       id, file.path(), std::move(bytes), file.encoding()));
}

const SourceSet::Paths& SourceSet::paths() const {
  std::call_once(paths_->once, [this] {
    Paths& paths = paths_->paths;
    for (const auto& file : files_) {
      std::string_view path = file->path();
      while (!path.empty() && paths.emplace(path).second) {
        const std::size_t slash = path.rfind('/');
        path = path.substr(0, slash == std::string_view::npos ? 0 : slash);
      }
    }
  });
  return paths_->paths;
}

}  // namespace gpulint
