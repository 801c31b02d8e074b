#include <algorithm>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/edit/layout.h"

namespace gpulint {
namespace {

[[nodiscard]] std::vector<Edit> remove_from_flow(const Layout& layout, Node value) {
  const Span entry = value.entry_span();
  const Span outer = value.parent().span();
  Span gone = entry;
  const std::string_view text = layout.text();
  std::size_t after = text.find_first_not_of(" \t\r\n", entry.end);
  if (after < outer.end && text[after] == ',') {
    gone.end = static_cast<std::uint32_t>(
        std::min<std::size_t>(text.find_first_not_of(" \t", after + 1), outer.end - 1));
  } else {
    const std::size_t before = text.find_last_not_of(" \t\r\n", entry.begin - 1);
    if (before > outer.begin && text[before] == ',')
      gone.begin = static_cast<std::uint32_t>(before);
  }
  if (layout.has_comment(gone)) return {};
  return {{gone, ""}};
}

/// The only entry of a block collection: the collection becomes empty in place.
[[nodiscard]] std::vector<Edit> empty_collection(const Layout& layout, Node collection) {
  const std::string_view empty = collection.is_mapping() ? "{}" : "[]";
  Span gone = collection.span();
  if (collection.is_sequence()) {
    const std::size_t dash = layout.text().rfind('-', gone.begin);
    if (dash == std::string_view::npos) return {};
    gone.begin = std::min(gone.begin, static_cast<std::uint32_t>(dash));
  }
  if (layout.has_comment(gone)) return {};
  if (const Node key = collection.key()) {
    const std::size_t colon = layout.text().find(':', key.span().end);
    const auto after = static_cast<std::uint32_t>(colon + 1);
    if (after <= gone.begin && is_blank(layout.text(layout.span(after, gone.begin)))) {
      return {{layout.span(after, gone.end), fmt::format(" {}", empty)}};
    }
  }
  return {{gone, std::string(empty)}};
}

[[nodiscard]] std::vector<Edit> remove_from_block(const Layout& layout, Node value) {
  const Node collection = value.parent();
  const bool is_item = collection.is_sequence();
  std::uint32_t begin =
      is_item ? value.begin_with_properties() : value.key().begin_with_properties();
  if (is_item) {
    const auto dash = layout.dash_before(value);
    if (!dash) return {};
    begin = *dash;
  }
  const std::uint32_t end = value.entry_span().end;
  if (is_blank(layout.before_on_line(begin))) {
    const Span gone = layout.span(layout.line_begin(begin), layout.next_line(end));
    return {{gone, layout.kept_comments(gone, begin)}};
  }
  // `- name: x` and the like: what follows moves up to where the entry began.
  const std::vector<Node> siblings = collection.children();
  const auto at = std::ranges::find(siblings, value);
  if (at + 1 == siblings.end()) return {};
  const Span gone = layout.span(begin, (at + 1)->begin_with_properties());
  if (is_item || layout.has_comment(gone)) return {};
  return {{gone, ""}};
}

/// Text that is a file of its own, with comments that cannot stay without it.
[[nodiscard]] bool holds_commented_text(Node value) {
  return any_below(value, [](Node inner) {
    const bool is_text = inner.style() == Style::literal || inner.style() == Style::folded;
    return is_text && inner.text().find('#') != std::string_view::npos;
  });
}

}  // namespace

std::vector<Edit> remove_entry(const SourceSet& sources, Node value) {
  if (!is_under_own_key(value)) return {};
  value = value.written();
  const Layout layout(sources, value);
  const Node collection = value.parent();
  if (!layout.editable() || !collection || holds_anchor(value)) return {};
  if (holds_commented_text(value)) return {};
  if (collection.is_mapping() && !value.key()) return {};
  if (collection.style() == Style::flow) return remove_from_flow(layout, value);
  if (collection.size() == 1) return empty_collection(layout, collection);
  return remove_from_block(layout, value);
}

}  // namespace gpulint
