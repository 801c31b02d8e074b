#include "compiler/ir/node.h"

#include <algorithm>
#include <unordered_map>

#include "compiler/base/check.h"

namespace gpulint {
namespace {

constexpr std::string_view merge_key = "<<";
/// Merge keys can chain through aliases; deeper chains than this read as empty.
constexpr int max_merge_depth = 32;

[[nodiscard]] bool is_merge_key(Node key) {
  return key.is_scalar() && key.style() == Style::plain && key.text() == merge_key;
}

[[nodiscard]] Node get_merged(Node mapping, std::string_view key, int depth) {
  if (depth > max_merge_depth || !mapping.is_mapping()) return {};
  const Document& document = *mapping.document();
  Node found;
  std::vector<Node> merged;
  for (NodeIndex at = document.nodes[mapping.index()].first_child; at != no_node;) {
    const Node written = Node(document, at).resolved();
    const Node value(document, document.nodes[at].next);
    if (is_merge_key(written)) {
      merged.push_back(value.resolved());
    } else if (written.is_scalar() && written.text() == key) {
      found = value.resolved();
    }
    at = document.nodes[value.index()].next;
  }
  for (const Node source : merged) {
    if (found) break;
    if (!source.is_sequence()) {
      found = get_merged(source, key, depth + 1);
      continue;
    }
    for (const Node item : source.items()) {
      if (!found) found = get_merged(item, key, depth + 1);
    }
  }
  return found;
}

/// Appends the entries of `mapping` that `seen` does not hold yet, then those it merges in.
void collect_fields(Node mapping, std::vector<Node::Entry>& fields,
                    std::unordered_map<std::string_view, std::size_t>& seen, int depth) {
  if (depth > max_merge_depth || !mapping.is_mapping()) return;
  std::vector<Node> merged;
  const std::size_t first_own = fields.size();
  for (const Node::Entry& entry : mapping.entries()) {
    const Node key = entry.key.resolved();
    if (is_merge_key(key)) {
      merged.push_back(entry.value.resolved());
      continue;
    }
    const auto [at, is_new] = seen.try_emplace(key.text(), fields.size());
    if (is_new) {
      fields.push_back({key, entry.value.resolved()});
    } else if (at->second >= first_own) {
      fields[at->second] = {key, entry.value.resolved()};
    }
  }
  for (const Node source : merged) {
    if (!source.is_sequence()) {
      collect_fields(source, fields, seen, depth + 1);
      continue;
    }
    for (const Node item : source.items()) collect_fields(item, fields, seen, depth + 1);
  }
}

}  // namespace

NodeKind Node::kind() const {
  return document_ == nullptr || index_ == no_node ? NodeKind::none : data().kind;
}

Style Node::style() const { return *this ? data().style : Style::plain; }

bool Node::is_null() const {
  if (!is_scalar() || style() != Style::plain) return false;
  const std::string_view value = text();
  return value.empty() || value == "~" || value == "null" || value == "Null" || value == "NULL";
}

bool Node::is_opaque() const { return *this && data().opaque; }

Span Node::span() const {
  if (!*this) return {};
  return {document_->file, data().begin, data().end};
}

std::string_view Node::text() const { return *this ? data().text : std::string_view{}; }

std::string_view Node::tag() const {
  if (!*this || data().properties == UINT32_MAX) return {};
  return document_->properties[data().properties].tag;
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

Node Node::parent() const { return *this ? Node{*document_, data().parent} : Node{}; }

Node Node::key() const {
  return *this && data().key != no_node ? Node{*document_, data().key} : Node{};
}

Span Node::key_span() const {
  const Node written = key();
  return written ? written.span() : span();
}

Span Node::entry_span() const {
  const Node written = key();
  return written ? join(written.span(), span()) : span();
}

Node Node::resolved() const {
  if (!is_alias()) return *this;
  return {*document_, data().target};
}

std::size_t Node::size() const {
  if (is_mapping()) return data().child_count / 2;
  return is_sequence() ? data().child_count : 0;
}

Node Node::get(std::string_view key) const { return get_merged(resolved(), key, 0); }

std::vector<Node> Node::items() const {
  if (resolved().kind() != NodeKind::sequence) return {};
  std::vector<Node> result = resolved().children();
  std::ranges::transform(result, result.begin(), &Node::resolved);
  return result;
}

std::vector<Node::Entry> Node::fields() const {
  std::vector<Entry> result;
  std::unordered_map<std::string_view, std::size_t> seen;
  collect_fields(resolved(), result, seen, 0);
  return result;
}

std::vector<Node::Entry> Node::entries() const {
  std::vector<Entry> result;
  if (!is_mapping()) return result;
  const std::vector<Node> written = children();
  result.reserve(written.size() / 2);
  for (std::size_t i = 0; i + 1 < written.size(); i += 2) {
    result.push_back({written[i], written[i + 1]});
  }
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
