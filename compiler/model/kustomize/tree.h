#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"

namespace gpulint::kustomize {

struct Entry;

/// A part of an object that patches may change. Each part knows the node that wrote it. If several
/// did (a patch adds to a mapping), it is the base's.
struct Value {
  NodeKind kind = NodeKind::scalar;
  Node written;
  bool is_opaque = false;  ///< Filled by something that is not read here.
  /// For a scalar: its text if kustomize derived it from the written one; else null.
  std::shared_ptr<const std::string> made_text;
  std::vector<Entry> entries;  ///< For a mapping.
  std::vector<Value> items;    ///< For a sequence.

  [[nodiscard]] bool is_mapping() const { return kind == NodeKind::mapping; }
  [[nodiscard]] bool is_sequence() const { return kind == NodeKind::sequence; }
  /// A YAML null.
  [[nodiscard]] bool is_null() const {
    return kind == NodeKind::scalar && !made_text && written.is_null();
  }
  /// Decoded text of a scalar; empty for anything else.
  [[nodiscard]] std::string_view text() const;
  /// The value of a mapping's key; null if there is none.
  [[nodiscard]] Value* find(std::string_view name);
  [[nodiscard]] const Value* find(std::string_view name) const;
  /// Decoded text of a scalar below a key; empty for anything else.
  [[nodiscard]] std::string_view text(std::string_view name) const;
  void erase(std::string_view name);
  /// Sets the value of a mapping's key; both come from the node `key` and its value.
  void set(Node key, std::string_view name, Value value);
};

/// One entry of a mapping.
struct Entry {
  Node key;
  std::string name;  ///< Differs from the key's text if kustomize or a JSON patch added it.
  Value value;
};

/// The value of a node, with aliases and merge keys followed; nullopt if it is endless.
[[nodiscard]] std::optional<Value> read_value(Node node);

/// The tree as a document. Its text is in the documents that wrote it, which must outlive it.
/// `base` is the document that it replaces.
[[nodiscard]] std::unique_ptr<Document> make_document(const Value& value, const Document& base);

}  // namespace gpulint::kustomize
