#include "compiler/base/source_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "compiler/base/check.h"

namespace gpulint {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

[[nodiscard]] bool continues_code_point(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
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
  const auto& starts = line_starts();
  offset = std::min(offset, static_cast<std::uint32_t>(bytes_.size()));
  const auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  const auto line = static_cast<std::uint32_t>(next - starts.begin());
  std::string_view before = text().substr(starts[line - 1], offset - starts[line - 1]);
  if (line == 1 && before.starts_with(byte_order_mark)) before.remove_prefix(3);
  const auto code_points = std::count_if(before.begin(), before.end(),
                                         [](char c) { return !continues_code_point(c); });
  return {line, static_cast<std::uint32_t>(code_points) + 1};
}

std::string_view SourceFile::line_text(std::uint32_t line) const {
  const auto& starts = line_starts();
  if (line == 0 || line > starts.size()) return {};
  std::string_view rest = text().substr(starts[line - 1]);
  rest = rest.substr(0, rest.find('\n'));
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
  files_.emplace_back(id, std::move(path), std::move(bytes), encoding);
  return id;
}

}  // namespace gpulint
