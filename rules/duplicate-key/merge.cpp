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

/// Moves lines of a block collection to the top of another one.
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
    const std::uint32_t gone = layout_.line_begin(key);
    if (top > gone && top < at) return {};
    std::vector<Edit> edits{{layout_.span(gone, at), ""}, {layout_.span(top, top), moved}};
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
