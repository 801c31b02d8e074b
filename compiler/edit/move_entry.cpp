#include "compiler/edit/move_entry.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "compiler/base/text.h"
#include "compiler/edit/layout.h"

namespace gpulint {
namespace {

/// Whole lines of the file.
struct Lines {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

[[nodiscard]] bool is_block(Node mapping) {
  return mapping.is_mapping() && mapping.style() == Style::block;
}

/// The lines of an entry of a block mapping; nullopt where its key does not begin a line or
/// something else stands on its last one.
[[nodiscard]] std::optional<Lines> lines_of(const Layout& layout, Node value) {
  if (!value.key() || !is_block(value.parent())) return std::nullopt;
  const std::uint32_t key = value.key().begin_with_properties();
  if (!trim(layout.before_on_line(key)).empty()) return std::nullopt;
  const std::uint32_t end = std::max(value.span().end, value.key().span().end);
  return Lines{layout.line_begin(key), layout.next_line(end == 0 ? 0 : end - 1)};
}

/// Blanks before the node on its line; the node must begin it.
[[nodiscard]] std::size_t indent_of(const Layout& layout, Node first) {
  return layout.before_on_line(first.begin_with_properties()).size();
}

/// The entry to take out: the value's, or that of the outermost mapping which holds nothing else.
[[nodiscard]] Node outermost(Node value, Node target) {
  while (value.parent().size() == 1 && value.parent().key() && value.parent() != target) {
    value = value.parent();
  }
  return value;
}

/// An anchor or alias, which means something else, or nothing, before or behind its other half.
[[nodiscard]] bool holds_reference(Node value) {
  return any_below(value, [](Node inner) { return inner.is_alias() || !inner.anchor().empty(); });
}

[[nodiscard]] bool is_within(Node node, Node outer) {
  while (node && node != outer) node = node.parent();
  return static_cast<bool>(node);
}

[[nodiscard]] bool may_move(Node value, const NewPlace& place) {
  const bool is_taken = place.keys.empty() && place.mapping.get(value.key().text());
  const bool is_whole = value.written() == value;  // of what is put together halves stand apart
  return is_whole && place.mapping.document() == value.document() && !is_taken &&
         !holds_reference(value) && !is_within(place.mapping, value);
}

/// The entries, or the mapping that holds nothing else.
[[nodiscard]] std::vector<Node> entries_to_take_out(const std::vector<Node>& values, Node target) {
  const Node home = values.front().parent();
  const bool is_whole = home.size() == values.size() && home.key() && home != target;
  return is_whole ? std::vector<Node>{outermost(home, target)} : values;
}

/// Blank lines and comments, nothing else.
[[nodiscard]] bool holds_comments_only(std::string_view lines) {
  while (!lines.empty()) {
    const std::string_view line = trim(take_part(lines, '\n'));
    if (!line.empty() && !line.starts_with('#')) return false;
  }
  return true;
}

/// With the comments between them; empty where one of them cannot be had.
[[nodiscard]] std::vector<Lines> lines_of_all(const Layout& layout,
                                              const std::vector<Node>& values) {
  std::vector<Lines> all;
  for (const Node value : values) {
    const auto lines = lines_of(layout, value);
    if (!lines) return {};
    all.push_back(*lines);
    if (all.size() == 1) continue;
    const std::uint32_t before = all[all.size() - 2].end;
    const bool is_next = before <= lines->begin &&
                         holds_comments_only(layout.text(layout.span(before, lines->begin)));
    if (is_next) all.back().begin = before;
  }
  return all;
}

/// Whether a comment stands in lines that go and not in those that are moved.
[[nodiscard]] bool loses_comment(const Layout& layout, const std::vector<Lines>& moved,
                                 const Lines& gone) {
  std::uint32_t at = gone.begin;
  for (const Lines& lines : moved) {
    if (layout.has_comment(layout.span(at, lines.begin))) return true;
    at = lines.end;
  }
  return layout.has_comment(layout.span(at, gone.end));
}

/// The moved lines as they stand at the place, behind its new keys.
[[nodiscard]] std::string text_at(const Layout& layout, const std::vector<Node>& values,
                                  const std::vector<Lines>& moved, const NewPlace& place,
                                  std::size_t indent) {
  constexpr std::size_t step = 2;
  std::string text;
  for (const std::string& key : place.keys) {
    text += std::string(indent, ' ') + key + ":" + std::string(layout.line_break());
    indent += step;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!text.empty() && !text.ends_with('\n')) text += layout.line_break();
    const std::string_view entry = layout.text(layout.span(moved[i].begin, moved[i].end));
    text += indent_anew(entry, indent_of(layout, values[i].key()), indent);
  }
  return text;
}

}  // namespace

NewPlace place_at(Node root, std::string_view path) {
  NewPlace place{root, {}};
  while (!path.empty()) {
    const std::string_view key = take_part(path, '.');
    const Node next = place.keys.empty() ? place.mapping.get(key) : Node{};
    if (next) {
      place.mapping = next;
    } else {
      place.keys.emplace_back(key);
    }
  }
  return place;
}

std::vector<Edit> move_entries(const SourceSet& sources, const std::vector<Node>& values,
                               const NewPlace& place) {
  if (values.empty()) return {};
  const Layout layout(sources, values.front());
  const std::vector<Node::Entry> siblings = place.mapping.entries();
  const bool is_open = layout.editable() && !layout.is_json() && is_block(place.mapping);
  if (!is_open || siblings.empty()) return {};
  if (!std::ranges::all_of(values, [&](Node value) { return may_move(value, place); })) return {};
  const auto moved = lines_of_all(layout, values);
  const auto gone = lines_of_all(layout, entries_to_take_out(values, place.mapping));
  const auto last = lines_of(layout, place.behind ? place.behind : siblings.back().value);
  if (moved.empty() || gone.empty() || !last) return {};
  if (gone.front().begin != moved.front().begin && loses_comment(layout, moved, gone.front())) {
    return {};
  }
  std::string text = text_at(layout, values, moved, place, indent_of(layout, siblings.front().key));
  std::vector<Edit> edits;
  bool is_placed = false;
  for (const Lines& lines : gone) {
    const bool is_last = last->end == lines.end;
    if (last->end > lines.begin && last->end < lines.end) return {};  // the place itself would go
    edits.push_back({layout.span(lines.begin, lines.end), is_last ? text : ""});
    is_placed = is_placed || is_last;
  }
  if (is_placed) return edits;
  if (!text.ends_with('\n')) text += layout.line_break();
  const bool ends_line = last->end == 0 || layout.text()[last->end - 1] == '\n';
  if (!ends_line) {
    text.resize(text.find_last_not_of("\r\n") + 1);
    text.insert(0, layout.line_break());
  }
  edits.push_back({layout.span(last->end, last->end), text});
  std::ranges::sort(edits);
  return edits;
}

std::vector<Edit> move_entry(const SourceSet& sources, Node value, const NewPlace& place) {
  return move_entries(sources, {value}, place);
}

std::vector<Edit> move_out(const SourceSet& sources, Node value) {
  const Node inner = value.parent();
  if (inner.size() < 2) return {};
  return move_entry(sources, value, {inner.parent(), {}, inner});
}

}  // namespace gpulint
