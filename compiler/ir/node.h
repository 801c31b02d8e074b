#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>
#include <vector>

#include "compiler/ir/document.h"

namespace gpulint {

/// A cheap handle on a node of a Document, or on nothing. All functions accept nothing and return
/// an empty answer. Reading through get(), items(), fields() follows aliases and merge keys;
/// walking with children() shows the tree as written: each node occurs once, and an alias bomb
/// stays small.
class Node {
 public:
  Node() = default;
  Node(const Document& document, NodeIndex index) : document_(&document), index_(index) {}

  explicit operator bool() const { return kind() != NodeKind::none; }
  friend bool operator==(const Node&, const Node&) = default;

  [[nodiscard]] const Document* document() const { return document_; }
  [[nodiscard]] NodeIndex index() const { return index_; }

  [[nodiscard]] NodeKind kind() const;
  [[nodiscard]] bool is_scalar() const { return kind() == NodeKind::scalar; }
  [[nodiscard]] bool is_sequence() const { return kind() == NodeKind::sequence; }
  [[nodiscard]] bool is_mapping() const { return kind() == NodeKind::mapping; }
  [[nodiscard]] bool is_alias() const { return kind() == NodeKind::alias; }
  [[nodiscard]] Style style() const;
  /// A plain scalar that YAML reads as null in every version: empty, `~`, `null`, `Null`, `NULL`.
  [[nodiscard]] bool is_null() const;
  /// Holds a placeholder that something else fills in (`{{ }}`, `$VAR`, `<NAME>` …): never guess.
  [[nodiscard]] bool is_opaque() const;

  /// The node itself. In a document built from others (Document::origins): the written node, among
  /// its written neighbours.
  [[nodiscard]] Node written() const;

  /// The node's text in the file: quotes included, anchor and tag not.
  [[nodiscard]] Span span() const;
  /// Decoded text of a scalar; empty for collections.
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] std::string_view tag() const;
  [[nodiscard]] std::string_view anchor() const;
  /// The aliases of this node, in order.
  [[nodiscard]] std::vector<Node> aliases() const;
  /// Where the value begins, its anchor and tag included.
  [[nodiscard]] std::uint32_t begin_with_properties() const;

  [[nodiscard]] Node parent() const;
  /// The key of this value in its mapping; nothing for keys, items and the root.
  [[nodiscard]] Node key() const;
  /// The value of this key in its mapping as written: an alias, not its target, whose key is
  /// another one. Nothing for anything but a key.
  [[nodiscard]] Node value() const;
  /// The span to point at: the key where this is a mapping's value, else the node itself.
  [[nodiscard]] Span key_span() const;
  /// Key and value together; the node itself where there is no key.
  [[nodiscard]] Span entry_span() const;

  /// The target of an alias; the node itself otherwise.
  [[nodiscard]] Node resolved() const;

  /// Number of items of a sequence or entries of a mapping, as written.
  [[nodiscard]] std::size_t size() const;
  /// The value of a mapping's key: the last one written wins, merge keys (`<<`) included. Resolved.
  [[nodiscard]] Node get(std::string_view key) const;
  /// get() in any letter case, as Flyte reads its configuration.
  [[nodiscard]] Node get_folded(std::string_view key) const;
  /// get() along a path of keys.
  template <class... Keys>
  // NOLINTNEXTLINE(performance-unnecessary-value-param): keys are literals and views
  [[nodiscard]] Node at(std::string_view key, Keys... keys) const {
    if constexpr (sizeof...(keys) == 0) {
      return get(key);
    } else {
      return get(key).at(keys...);
    }
  }
  /// The items of a sequence, resolved. Empty for anything else.
  [[nodiscard]] std::vector<Node> items() const;

  struct Entry;
  class Entries;
  /// The entries of a mapping that a reader sees: merge keys applied, the last of equal keys only,
  /// values resolved. Empty for anything else.
  [[nodiscard]] std::vector<Entry> fields() const;
  /// The entries as written: duplicates, `<<` and aliases included. The document must outlive them.
  [[nodiscard]] Entries entries() const;
  /// Direct children as written; keys and values alternate in a mapping.
  [[nodiscard]] std::vector<Node> children() const;

 private:
  [[nodiscard]] const NodeData& data() const { return document_->nodes[index_]; }

  const Document* document_ = nullptr;
  NodeIndex index_ = no_node;
};

// Called millions of times in one run: they are inline for speed.

inline NodeKind Node::kind() const {
  return document_ == nullptr || index_ == no_node ? NodeKind::none : data().kind;
}

inline Style Node::style() const { return *this ? data().style : Style::plain; }

inline bool Node::is_opaque() const { return *this && data().opaque; }

inline std::string_view Node::text() const { return *this ? data().text : std::string_view{}; }

inline Node Node::parent() const { return *this ? Node{*document_, data().parent} : Node{}; }

inline Node Node::key() const {
  return *this && data().key != no_node ? Node{*document_, data().key} : Node{};
}

inline Node Node::resolved() const { return is_alias() ? Node{*document_, data().target} : *this; }

/// One entry of a mapping.
struct Node::Entry {
  Node key;
  Node value;
};

/// A range of entries that are read as it is walked.
class Node::Entries {
 public:
  class Iterator {
   public:
    using value_type = Entry;
    using reference = Entry;
    using pointer = void;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::forward_iterator_tag;

    Iterator() = default;
    Iterator(const Document* document, NodeIndex key) : document_(document) { go_to(key); }
    Entry operator*() const {
      return {{*document_, key_}, {*document_, document_->nodes[key_].next}};
    }
    Iterator& operator++() {
      go_to(document_->nodes[document_->nodes[key_].next].next);
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    /// Leaves out a key without a value, after a syntax error.
    void go_to(NodeIndex key) {
      key_ = key == no_node || document_->nodes[key].next == no_node ? no_node : key;
    }

    const Document* document_ = nullptr;
    NodeIndex key_ = no_node;
  };

  explicit Entries(Node mapping) : mapping_(mapping) {}
  [[nodiscard]] Iterator begin() const {
    const bool has_some = mapping_.is_mapping();
    return {mapping_.document(), has_some ? mapping_.data().first_child : no_node};
  }
  [[nodiscard]] Iterator end() const { return {mapping_.document(), no_node}; }
  // NOLINTNEXTLINE(google-explicit-constructor): for callers that keep them
  operator std::vector<Entry>() const {
    std::vector<Entry> copy;
    copy.reserve(mapping_.size());
    for (const Entry entry : *this) copy.push_back(entry);
    return copy;
  }

 private:
  Node mapping_;
};

inline Node::Entries Node::entries() const { return Entries(*this); }

[[nodiscard]] inline Node root(const Document& document) { return {document, document.root}; }

/// Calls `visit(Node)` for `node` and everything below it in document order, as written: aliases
/// are met, not followed, so every node of the arena is met at most once. Needs no memory.
template <class Visit>
void walk(Node node, Visit&& visit) {
  if (!node) return;
  const std::vector<NodeData>& nodes = node.document()->nodes;
  for (NodeIndex at = node.index();;) {
    visit(Node(*node.document(), at));
    if (nodes[at].first_child != no_node) {
      at = nodes[at].first_child;
      continue;
    }
    while (at != node.index() && nodes[at].next == no_node) at = nodes[at].parent;
    if (at == node.index()) return;
    at = nodes[at].next;
  }
}

/// Whether `node` or anything below it, as written, meets the predicate.
template <class Predicate>
[[nodiscard]] bool any_below(Node node, Predicate&& meets) {
  bool found = false;
  walk(node, [&](Node inner) { found = found || meets(inner); });
  return found;
}

}  // namespace gpulint
