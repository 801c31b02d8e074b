#include "rules/support/move_entry.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "compiler/base/text.h"
#include "rules/support/layout.h"

namespace gpulint::rules {
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

std::vector<Edit> move_entry(const SourceSet& sources, Node value, const NewPlace& place) {
  const Layout layout(sources, value);
  const std::vector<Node::Entry> siblings = place.mapping.entries();
  const bool is_open = layout.editable() && !layout.is_json() && is_block(place.mapping);
  if (!is_open || siblings.empty() || place.mapping.document() != value.document()) return {};
  const bool is_taken = place.keys.empty() && place.mapping.get(value.key().text());
  if (is_taken || holds_reference(value)) return {};
  const auto moved = lines_of(layout, value);
  const auto gone = lines_of(layout, outermost(value, place.mapping));
  const auto last = lines_of(layout, place.behind ? place.behind : siblings.back().value);
  if (!moved || !gone || !last) return {};
  const bool loses_comment = layout.has_comment(layout.span(gone->begin, moved->begin)) ||
                             layout.has_comment(layout.span(moved->end, gone->end));
  if (loses_comment) return {};
  constexpr std::size_t step = 2;
  std::size_t indent = indent_of(layout, siblings.front().key);
  std::string text;
  for (const std::string& key : place.keys) {
    text += std::string(indent, ' ') + key + ":" + std::string(layout.line_break());
    indent += step;
  }
  const std::string_view entry = layout.text(layout.span(moved->begin, moved->end));
  text += indent_anew(entry, indent_of(layout, value.key()), indent);
  if (last->end == gone->end) return {{layout.span(gone->begin, gone->end), text}};
  if (!text.ends_with('\n')) text += layout.line_break();
  if (last->end > gone->begin && last->end < gone->end) return {};  // the place itself would go
  const bool ends_line = last->end == 0 || layout.text()[last->end - 1] == '\n';
  if (!ends_line) {
    text.resize(text.find_last_not_of("\r\n") + 1);
    text.insert(0, layout.line_break());
  }
  std::vector<Edit> edits{{layout.span(gone->begin, gone->end), ""},
                          {layout.span(last->end, last->end), text}};
  std::ranges::sort(edits);
  return edits;
}

std::vector<Edit> move_out(const SourceSet& sources, Node value) {
  const Node inner = value.parent();
  if (inner.size() < 2) return {};
  return move_entry(sources, value, {inner.parent(), {}, inner});
}

}  // namespace gpulint::rules
