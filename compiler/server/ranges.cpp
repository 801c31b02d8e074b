#include "compiler/server/ranges.h"

#include <algorithm>

namespace gpulint::server {

const OpenText* Ranges::open_text(FileId file) const {
  const std::string path = Workspace::path_of(root_, root_.project().sources.file(file));
  if (path != "-") return texts_.find_path(path);
  return texts_.find(root_.untitled);
}

std::string Ranges::uri(FileId file) const {
  const OpenText* const text = open_text(file);
  if (text != nullptr) return text->uri;
  return uri_of_path(Workspace::path_of(root_, root_.project().sources.file(file)));
}

const Ranges::FileLines& Ranges::lines_of(FileId file) {
  const auto known = lines_.find(file);
  if (known != lines_.end()) return known->second;
  const std::string_view text = root_.project().sources.file(file).text();
  const bool has_mark = text.starts_with("\xEF\xBB\xBF") && open_text(file) == nullptr;
  const std::uint32_t begin = has_mark ? 3 : 0;
  return lines_.emplace(file, FileLines{begin, Lines(text.substr(begin), units_)}).first->second;
}

Json Ranges::range(Span span) {
  const SourceFile& file = root_.project().sources.file(span);
  const FileLines& in = lines_of(span.file);
  const auto place = [&](std::uint32_t offset) {
    if (!file.has_lines()) offset = 0;
    return to_json(in.lines.place(offset - std::min(offset, in.begin)));
  };
  return {{"start", place(span.begin)}, {"end", place(span.end)}};
}

std::uint32_t Ranges::offset(FileId file, Place place) {
  const FileLines& in = lines_of(file);
  return in.begin + in.lines.offset(place);
}

}  // namespace gpulint::server
