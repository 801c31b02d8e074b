#include "compiler/ir/node.h"

#include <algorithm>
#include <cstddef>
#include <unordered_set>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

constexpr std::string_view merge_key = "<<";

/// As `==`, without a call for keys that differ in their first letter.
[[nodiscard]] bool is_same(std::string_view one, std::string_view other) {
  return one.size() == other.size() &&
         (one.empty() || (one.front() == other.front() && one == other));
}

[[nodiscard]] bool is_scalar_with(Node node, std::string_view text) {
  return node.is_scalar() && is_same(node.text(), text);
}

/// An alias to a scalar `<<` merges nothing: only the written key does.
[[nodiscard]] bool is_merge_key(const NodeData& key) {
  return is_same(key.text, merge_key) && key.kind == NodeKind::scalar && key.style == Style::plain;
}
[[nodiscard]] bool is_merge_key(Node key) {
  return key && is_merge_key(key.document()->nodes[key.index()]);
}

/// The mappings of a merge key's value, the one that wins first.
[[nodiscard]] std::vector<Node> merge_sources(Node value) {
  const Node source = value.resolved();
  if (source.is_mapping()) return {source};
  return source.items();
}

/// Calls `visit(key, value)` for the entries of a mapping and of those it merges in, the winning
/// one of equal keys first (a later entry or merge overrides an earlier one, as Kubernetes reads
/// it), until it returns false. No mapping is visited twice: what it holds has been seen already.
template <class Visit>
void visit_winning_first(Node mapping, Visit&& visit) {
  std::unordered_set<NodeIndex> met;
  std::vector<std::vector<Node::Entry>> open;
  const auto enter = [&](Node next) {
    if (next.is_mapping() && met.insert(next.index()).second) open.push_back(next.entries());
  };
  enter(mapping);
  while (!open.empty()) {
    if (open.back().empty()) {
      open.pop_back();
      continue;
    }
    const Node::Entry entry = open.back().back();
    open.back().pop_back();
    if (!is_merge_key(entry.key)) {
      if (!visit(entry.key.resolved(), entry.value.resolved())) return;
      continue;
    }
    const std::vector<Node> sources = merge_sources(entry.value);
    for (auto source = sources.rbegin(); source != sources.rend(); ++source) enter(*source);
  }
}

[[nodiscard]] Node get_merged(Node mapping, std::string_view key) {
  Node found;
  visit_winning_first(mapping, [&](Node written, Node value) {
    if (written.is_scalar() && written.text() == key) found = value;
    return !found;
  });
  return found;
}

[[nodiscard]] std::vector<Node::Entry> merged_fields(Node mapping) {
  std::vector<Node::Entry> result;
  std::unordered_set<std::string_view> seen;
  visit_winning_first(mapping, [&](Node key, Node value) {
    if (seen.insert(key.text()).second) result.push_back({key, value});
    return true;
  });
  std::ranges::reverse(result);
  return result;
}

/// Leaves the last of equal keys.
void drop_overridden(std::vector<Node::Entry>& entries) {
  constexpr std::size_t few = 16;  // comparing each with each is faster than a set
  if (entries.size() <= few) {
    for (std::size_t i = entries.size(); i-- > 0;) {
      const std::string_view text = entries[i].key.text();
      const auto later = entries.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      const bool is_overridden = std::any_of(
          later, entries.end(), [&](const Node::Entry& entry) { return entry.key.text() == text; });
      if (is_overridden) entries.erase(later - 1);
    }
    return;
  }
  std::unordered_set<std::string_view> seen;
  const auto is_overridden = [&](const Node::Entry& entry) {
    return !seen.insert(entry.key.text()).second;
  };
  const auto dropped = std::remove_if(entries.rbegin(), entries.rend(), is_overridden);
  entries.erase(entries.begin(), dropped.base());
}

}  // namespace

bool Node::is_null() const {
  if (!is_scalar() || style() != Style::plain) return false;
  const std::string_view value = text();
  return value.empty() || value == "~" || value == "null" || value == "Null" || value == "NULL";
}

Node Node::written() const {
  if (document_ == nullptr || document_->origins.empty() || index_ == no_node) return *this;
  const NodeOrigin& origin = document_->origins[index_];
  return {*origin.document, origin.index};
}

Span Node::span() const {
  if (!*this) return {};
  return {written().document_->file, data().begin, data().end};
}

std::string_view Node::tag() const {
  if (!*this || data().properties == UINT32_MAX) return {};
  return document_->properties[data().properties].tag;
}

std::vector<Node> Node::aliases() const {
  std::vector<Node> aliases;
  if (!*this || data().properties == UINT32_MAX) return aliases;
  for (const NodeIndex alias : document_->properties[data().properties].aliases) {
    aliases.emplace_back(*document_, alias);
  }
  return aliases;
}

std::string_view Node::anchor() const {
  if (!*this || data().properties == UINT32_MAX) return {};
  return document_->properties[data().properties].anchor;
}

std::uint32_t Node::begin_with_properties() const {
  if (!*this) return 0;
  if (data().properties == UINT32_MAX) return data().begin;
  return std::min(data().begin, document_->properties[data().properties].begin);
}

Node Node::value() const {
  if (!parent().is_mapping() || data().key != no_node) return {};
  return {*document_, data().next};
}

Span Node::key_span() const {
  const Node written = key();
  return written ? written.span() : span();
}

Span Node::entry_span() const {
  const Node written = key();
  return written ? join(written.span(), span()) : span();
}

std::size_t Node::size() const {
  if (is_mapping()) return data().child_count / 2;
  return is_sequence() ? data().child_count : 0;
}

Node Node::get(std::string_view key) const {
  const Node mapping = resolved();
  if (!mapping.is_mapping()) return {};
  const std::vector<NodeData>& nodes = document_->nodes;
  NodeIndex found = no_node;
  for (NodeIndex at = mapping.data().first_child; at != no_node;) {
    const NodeData& written = nodes[at];
    if (is_merge_key(written)) return get_merged(mapping, key);
    const bool is_named = written.kind == NodeKind::alias
                              ? is_scalar_with(Node(*document_, at).resolved(), key)
                              : written.kind == NodeKind::scalar && is_same(written.text, key);
    if (is_named) found = written.next;
    at = nodes[written.next].next;
  }
  return Node(*document_, found).resolved();
}

std::vector<Node> Node::items() const {
  if (resolved().kind() != NodeKind::sequence) return {};
  std::vector<Node> result = resolved().children();
  std::ranges::transform(result, result.begin(), &Node::resolved);
  return result;
}

Node Node::get_folded(std::string_view key) const {
  const Node mapping = resolved();
  if (!mapping.is_mapping()) return {};
  const std::vector<NodeData>& nodes = document_->nodes;
  bool may_be_there = false;
  for (NodeIndex at = mapping.data().first_child; at != no_node && !may_be_there;) {
    const Node name = Node(*document_, at).resolved();
    may_be_there = is_merge_key(nodes[at]) || equal_fold(name.text(), key);
    at = nodes[nodes[at].next].next;
  }
  if (!may_be_there) return {};
  for (const auto& [name, value] : fields()) {
    if (equal_fold(name.text(), key)) return value;
  }
  return {};
}

std::vector<Node::Entry> Node::fields() const {
  const Node mapping = resolved();
  std::vector<Entry> result = mapping.entries();
  const auto merges = [](const Entry& entry) { return is_merge_key(entry.key); };
  if (std::ranges::any_of(result, merges)) return merged_fields(mapping);
  for (Entry& entry : result) entry = {entry.key.resolved(), entry.value.resolved()};
  drop_overridden(result);
  return result;
}

std::vector<Node> Node::children() const {
  std::vector<Node> result;
  if (!*this) return result;
  result.reserve(data().child_count);
  for (NodeIndex at = data().first_child; at != no_node; at = document_->nodes[at].next) {
    result.emplace_back(*document_, at);
  }
  return result;
}

}  // namespace gpulint
