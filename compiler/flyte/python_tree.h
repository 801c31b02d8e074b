#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/document.h"

namespace gpulint::flyte {

/// A value that was written in Python, as YAML would hold it: becomes a node of a Document whose
/// span is that of the Python.
struct PythonTree {
  NodeKind kind = NodeKind::mapping;
  Style style = Style::flow;
  bool opaque = false;
  Span span;
  std::string text;               ///< Of a scalar.
  std::vector<PythonTree> parts;  ///< Items; of a mapping keys and values in turn.

  void add(std::string key, Span place, PythonTree value);
  /// The value of a key; null where there is none.
  [[nodiscard]] const PythonTree* find(std::string_view key) const;
  [[nodiscard]] PythonTree* find(std::string_view key);
};

/// `text` as a string is written in quotes, or, plain, as a number is.
[[nodiscard]] PythonTree python_scalar(std::string text, Span span, Style style);
[[nodiscard]] PythonTree python_mapping(Span span);
/// What nobody knows.
[[nodiscard]] PythonTree python_unknown(Span span);

/// A document with the tree as its root; its parts of other files stand where they are used.
[[nodiscard]] std::unique_ptr<Document> make_document(const PythonTree& tree, FileId file,
                                                      Span whole);

}  // namespace gpulint::flyte
