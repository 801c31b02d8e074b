#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/source_file.h"
#include "compiler/base/text.h"
#include "compiler/ir/node.h"
#include "compiler/model/gitops/config_map.h"

namespace gpulint {

[[nodiscard]] inline bool is_blank(std::string_view text) { return trim(text).empty(); }

/// The lines with `from` blanks of indentation replaced by `to`.
[[nodiscard]] inline std::string indent_anew(std::string_view text, std::size_t from,
                                             std::size_t to) {
  std::string result;
  while (!text.empty()) {
    const std::size_t next = std::min(text.find('\n'), text.size() - 1) + 1;
    std::string_view line = text.substr(0, next);
    text.remove_prefix(next);
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    const bool is_empty = trim(line).empty();
    line.remove_prefix(std::min(blanks, from));
    if (!is_empty) result.append(to, ' ');
    result += line;
  }
  return result;
}

/// The file around a node, and the layout questions that every builder asks.
class Layout {
 public:
  /// Around no node, or one without a place, nothing is editable.
  Layout(const SourceSet& sources, Node node) : document_(node.written().document()) {
    if (document_ == nullptr) return;
    file_ = &sources.file(document_->file);
    text_ = file_->text();
  }

  /// Whether bytes may be edited as if they were the document's own: not where they are decoded
  /// from a quoted or folded scalar or out of base64. Edits of transcoded files are only tried,
  /// never written (unfit_edits.h).
  [[nodiscard]] bool editable() const {
    if (file_ == nullptr || file_->is_told()) return false;
    if (document_->host == nullptr) return true;
    return Node(*document_->host, document_->host_node).style() == Style::literal &&
           !is_encoded(*document_);
  }
  /// Whether a line of text is written in the quoted or folded scalar that holds the document as it
  /// would be outside: nothing in it is escaped there. Not in JSON, which programs write.
  [[nodiscard]] bool is_same_in_host(std::string_view line) const {
    if (file_ == nullptr || file_->is_told() || document_->host == nullptr) return false;
    if (document_->host->is_json || is_encoded(*document_)) return false;
    switch (Node(*document_->host, document_->host_node).style()) {
      case Style::single_quoted:
        return line.find_first_of("\n'") == std::string_view::npos;
      case Style::double_quoted:
        return line.find_first_of("\n\\\"") == std::string_view::npos;
      case Style::folded:
        return line.find('\n') == std::string_view::npos;
      default:
        return false;
    }
  }
  [[nodiscard]] bool is_json() const { return document_ != nullptr && document_->is_json; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::string_view text(Span span) const {
    return file_ == nullptr ? std::string_view{} : file_->text(span);
  }
  [[nodiscard]] Span span(std::uint32_t begin, std::uint32_t end) const {
    return {file_ == nullptr ? FileId{} : file_->id(), begin, end};
  }

  /// A byte order mark belongs to no line: where text moves, it stays.
  [[nodiscard]] std::uint32_t line_begin(std::uint32_t at) const {
    if (at == 0) return 0;
    const std::size_t found = text_.rfind('\n', at - 1);
    std::size_t begin = found == std::string_view::npos ? 0 : found + 1;
    while (begin + 3 <= at && text_.substr(begin).starts_with("\xEF\xBB\xBF")) begin += 3;
    return static_cast<std::uint32_t>(begin);
  }
  /// Offset of the line break that ends the line of `at` (of `\r` in CRLF), or the end of file.
  [[nodiscard]] std::uint32_t line_end(std::uint32_t at) const {
    std::size_t found = std::min(text_.find('\n', at), text_.size());
    if (found > at && text_[found - 1] == '\r') --found;
    return static_cast<std::uint32_t>(found);
  }
  [[nodiscard]] std::uint32_t next_line(std::uint32_t at) const {
    const std::size_t found = text_.find('\n', at);
    return static_cast<std::uint32_t>(found == std::string_view::npos ? text_.size() : found + 1);
  }
  /// As the file's first line ends.
  [[nodiscard]] std::string_view line_break() const {
    const std::size_t first = text_.find('\n');
    const bool is_crlf = first != std::string_view::npos && first > 0 && text_[first - 1] == '\r';
    return is_crlf ? "\r\n" : "\n";
  }
  /// Line break and one blank for each character before `at` on its line.
  [[nodiscard]] std::string new_line_aligned_with(std::uint32_t at) const {
    return fmt::format("{}{:{}}", line_break(), "", at - line_begin(at));
  }
  [[nodiscard]] std::string_view before_on_line(std::uint32_t at) const {
    return text_.substr(line_begin(at), at - line_begin(at));
  }

  /// Comments within a span that starts a line, each on its own line: a removal keeps them. None is
  /// to the right of `entry_begin`: a block scalar above would include it in its text.
  [[nodiscard]] std::string kept_comments(Span gone, std::uint32_t entry_begin) const {
    std::string kept;
    for (auto at = first_comment(gone); at != comments().end() && at->end <= gone.end; ++at) {
      const std::string_view before = before_on_line(at->begin);
      const std::size_t most = before_on_line(entry_begin).size();
      const std::size_t column = trim(before).empty() ? std::min(before.size(), most) : most;
      kept += fmt::format("{:{}}{}{}", "", column, text(*at), line_break());
    }
    return kept;
  }
  /// The text without comments and the blanks before them; lines of comments alone go whole.
  [[nodiscard]] std::string without_comments(Span span) const {
    std::string kept;
    std::uint32_t from = span.begin;
    for (auto at = first_comment(span); at != comments().end() && at->end <= span.end; ++at) {
      const Span comment = *at;
      const bool alone = trim(before_on_line(comment.begin)).empty();
      const std::string_view before = text(this->span(from, comment.begin));
      kept += alone ? before.substr(0, before.rfind('\n') + 1)
                    : before.substr(0, before.find_last_not_of(" \t") + 1);
      from = alone ? next_line(comment.end) : comment.end;
    }
    return kept.append(text(this->span(from, std::max(from, span.end))));
  }
  /// The `-` of an item of a block sequence; nothing if a comment is between.
  [[nodiscard]] std::optional<std::uint32_t> dash_before(Node item) const {
    const std::size_t at = text_.find_last_not_of(" \t\r\n", item.begin_with_properties() - 1);
    if (at == std::string_view::npos || text_[at] != '-') return std::nullopt;
    return static_cast<std::uint32_t>(at);
  }
  [[nodiscard]] bool has_comment(Span span) const {
    const auto first = first_comment(span);
    return first != comments().end() && first->end <= span.end;
  }

 private:
  /// The first comment that begins in or behind the span.
  [[nodiscard]] std::span<const Span>::iterator first_comment(Span span) const {
    return std::ranges::partition_point(comments(),
                                        [&](Span comment) { return comment.begin < span.begin; });
  }

  [[nodiscard]] std::span<const Span> comments() const {
    return document_ == nullptr ? std::span<const Span>() : document_->comments;
  }

  const Document* document_;
  const SourceFile* file_ = nullptr;
  std::string_view text_;
};

}  // namespace gpulint
