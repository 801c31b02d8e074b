#include "rules/duplicate-key/merge.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/edit/layout.h"
#include "compiler/edit/yaml_text.h"

namespace gpulint::rules::duplicate_key {
namespace {

constexpr std::size_t most = 1000;  // entries of a mapping to be compared one by one

/// What tells an item of a list apart from the others: its `name`, as the API server merges lists,
/// or all of it.
[[nodiscard]] std::string identity_of(Node item) {
  const Node name = item.get("name");
  return name.is_scalar() && !name.is_opaque() ? "name: " + std::string(name.text())
                                               : flow_text(item);
}

/// The values of a mapping, or the items of a list.
[[nodiscard]] std::vector<Node> members(Node collection) {
  if (!collection.is_mapping()) return collection.items();
  std::vector<Node> values;
  for (const Node::Entry& entry : collection.entries()) values.push_back(entry.value);
  return values;
}

/// The child of `kept` that says what this child of another value says; nothing where none does.
[[nodiscard]] Node counterpart(Node child, Node kept) {
  if (kept.is_mapping()) return kept.get(child.key().text());
  const std::vector<Node> items = kept.items();
  const auto found = std::ranges::find(items, identity_of(child), identity_of);
  return found == items.end() ? Node{} : *found;
}

/// Whether nothing is lost when `lost` goes: the other says as much under the same keys.
[[nodiscard]] bool is_covered(Node lost, Node kept) {
  if (lost.kind() != kept.kind() || lost.size() > most || kept.size() > most) return false;
  if (lost.is_scalar()) return true;
  return std::ranges::all_of(members(lost), [&](Node child) {
    const Node other = counterpart(child, kept);
    return other && is_covered(child, other);
  });
}

[[nodiscard]] bool holds_reference(Node value) {
  return any_below(value, [](Node inner) { return inner.is_alias() || !inner.anchor().empty(); });
}

/// Moves lines of a block collection to the top of another one. Comments above a key stay with what
/// they are about: those of the lost key go above the kept one, whose own go below it.
class LineMerge {
 public:
  LineMerge(const SourceSet& sources, Node lost, Node kept)
      : layout_(sources, lost), lost_(lost), kept_(kept), children_(members(lost)) {}

  [[nodiscard]] std::vector<Edit> edits() const {
    if (!is_possible()) return {};
    const auto first = begin_of(members(kept_).front(), kept_);
    const auto column = begin_of(children_.front(), lost_);
    if (!first || !column) return {};
    const std::size_t from = layout_.before_on_line(*column).size();
    const std::size_t to = layout_.before_on_line(*first).size();
    const std::uint32_t key = lost_.key().begin_with_properties();
    std::string moved = layout_.kept_comments(layout_.span(key, layout_.line_end(key)), *first);
    std::uint32_t at = layout_.next_line(lost_.key().span().end);
    for (std::size_t i = 0; i < children_.size(); ++i) {
      const std::optional<std::uint32_t> end = end_of(i);
      if (!end || *end < at) return {};
      const Span lines = layout_.span(at, *end);
      at = *end;
      if (const Node other = counterpart(children_[i], kept_)) {
        if (!is_covered(children_[i], other) || layout_.has_comment(lines)) return {};
        continue;
      }
      moved += indent_anew(layout_.text(lines), from, to);
    }
    if (!moved.empty() && !moved.ends_with('\n')) moved += layout_.line_break();
    const std::uint32_t top = layout_.next_line(kept_.key().span().end);
    const Span own = comments_above(layout_, lost_.key());
    const Span others = comments_above(layout_, kept_.key());
    if (top > own.begin && top < at) return {};
    const std::size_t keys = layout_.before_on_line(key).size();
    moved += indent_anew(layout_.text(others), keys, to);
    std::vector<Edit> edits{{layout_.span(own.begin, at), ""},
                            {others, std::string(layout_.text(own))},
                            {layout_.span(top, top), moved}};
    std::erase_if(edits, [](const Edit& edit) { return edit.span.empty() && edit.text.empty(); });
    std::ranges::sort(edits);
    return edits;
  }

 private:
  [[nodiscard]] bool is_possible() const {
    const auto is_block = [&](Node value) {
      const std::uint32_t key = value.key().begin_with_properties();
      const std::uint32_t end = layout_.line_end(key);
      return value.style() == Style::block && value.size() > 0 && value.size() <= most &&
             trim(layout_.before_on_line(key)).empty() &&
             trim(layout_.without_comments(layout_.span(value.key().span().end, end))) == ":";
    };
    return layout_.editable() && !layout_.is_json() && lost_.kind() == kept_.kind() &&
           lost_.document() == kept_.document() && lost_.key() && kept_.key() && is_block(lost_) &&
           is_block(kept_) && !holds_reference(lost_);
  }

  /// Where a child begins: its key, or the dash before it, alone on its line so far.
  [[nodiscard]] std::optional<std::uint32_t> begin_of(Node child, Node collection) const {
    const auto begin = collection.is_mapping() ? std::optional(child.key().begin_with_properties())
                                               : layout_.dash_before(child);
    if (!begin || !trim(layout_.before_on_line(*begin)).empty()) return std::nullopt;
    return begin;
  }

  /// The line behind a child; comments of their own below it belong to the next one, and behind the
  /// last one to nobody.
  [[nodiscard]] std::optional<std::uint32_t> end_of(std::size_t index) const {
    if (!begin_of(children_[index], lost_)) return std::nullopt;
    const Node child = children_[index];
    const std::uint32_t end = std::max(child.span().end, child.key() ? child.key().span().end : 0);
    return layout_.next_line(end == 0 ? 0 : end - 1);
  }

  Layout layout_;
  Node lost_;
  Node kept_;
  std::vector<Node> children_;
};

/// The same in flow style, where there are no lines to move: mappings whose scalars are one-liners.
[[nodiscard]] std::vector<Edit> merge_flow_mappings(const SourceSet& sources, Node lost,
                                                    Node kept) {
  std::vector<Edit> edits;
  if (lost.size() > most || kept.size() > most || kept.size() == 0) return {};
  for (const auto& [key, value] : lost.fields()) {
    if (const Node other = kept.get(key.text())) {
      if (!is_covered(value, other)) return {};
      continue;
    }
    const std::vector<Edit> added =
        insert_entry(sources, kept, key.text(), entry_value(sources, value, kept.style()));
    if (added.size() != 1) return {};
    if (edits.empty()) edits.push_back({added.front().span, ""});
    edits.front().text += added.front().text;  // all at the mapping's end
  }
  return edits;
}

}  // namespace

Span comments_above(const Layout& layout, Node key) {
  const std::uint32_t line = layout.line_begin(key.begin_with_properties());
  const std::string_view indent = layout.before_on_line(key.begin_with_properties());
  std::uint32_t begin = line;
  while (begin > 0) {
    const std::uint32_t above = layout.line_begin(begin - 1);
    const Span text = layout.span(above, begin);
    const std::string_view written = layout.text(text);
    if (!written.starts_with(indent) || written.substr(indent.size(), 1) != "#") break;
    if (!layout.has_comment(text)) break;
    begin = above;
  }
  return layout.span(layout.line_begin(begin) == 0 ? line : begin, line);
}

bool say_the_same(Node one, Node other) {
  if (holds_reference(one) || holds_reference(other)) return false;
  return one.kind() == other.kind() && flow_text(one) == flow_text(other);
}

std::vector<Edit> remove_later(const SourceSet& sources, Node later) {
  const Layout layout(sources, later);
  if (!comments_above(layout, later.key()).empty()) return {};
  const Span entry = later.entry_span();
  if (layout.has_comment(layout.span(entry.begin, layout.line_end(entry.end)))) return {};
  return remove_entry(sources, later);
}

Merge merge_duplicates(const SourceSet& sources, Node lost, Node kept) {
  std::vector<Edit> removal = remove_entry(sources, lost);
  if (is_covered(lost, kept)) return {"remove the first, which is lost today", std::move(removal)};
  constexpr std::string_view title = "merge them, so that nothing is lost";
  if (lost.style() == Style::block) return {title, LineMerge(sources, lost, kept).edits()};
  if (!lost.is_mapping() || !kept.is_mapping() || removal.empty()) return {};
  std::vector<Edit> edits = merge_flow_mappings(sources, lost, kept);
  if (edits.empty()) return {};
  std::ranges::move(removal, std::back_inserter(edits));
  return {title, std::move(edits)};
}

}  // namespace gpulint::rules::duplicate_key
