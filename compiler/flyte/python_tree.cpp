#include <cstddef>
#include <utility>

#include "compiler/flyte/python_names.h"

namespace gpulint::flyte {
namespace {

/// Adds the nodes of a tree. Parts from another file have the place where they are used: `around`.
NodeIndex append(const PythonTree& tree, NodeIndex parent, Span around, Document& document) {
  const auto index = static_cast<NodeIndex>(document.nodes.size());
  const Span span = tree.span.file == document.file ? tree.span : around;
  NodeData& made = document.nodes.emplace_back();
  made.kind = tree.kind;
  made.style = tree.style;
  made.opaque = tree.opaque;
  made.parent = parent;
  made.begin = span.begin;
  made.end = span.end;
  made.child_count = static_cast<NodeIndex>(tree.parts.size());
  if (tree.kind == NodeKind::scalar) made.text = document.strings.emplace_front(tree.text);
  NodeIndex before = no_node;
  for (std::size_t i = 0; i < tree.parts.size(); ++i) {
    const bool is_value = tree.kind == NodeKind::mapping && i % 2 == 1;
    const Span key = is_value ? tree.parts[i - 1].span : span;
    const NodeIndex child =
        append(tree.parts[i], index, key.file == document.file ? key : span, document);
    if (is_value) document.nodes[child].key = before;
    (before == no_node ? document.nodes[index].first_child : document.nodes[before].next) = child;
    before = child;
  }
  return index;
}

}  // namespace

void PythonTree::add(std::string key, Span place, PythonTree value) {
  parts.push_back(python_scalar(std::move(key), place, Style::plain));
  parts.push_back(std::move(value));
}

const PythonTree* PythonTree::find(std::string_view key) const {
  for (std::size_t i = 0; kind == NodeKind::mapping && i + 1 < parts.size(); i += 2) {
    if (parts[i].text == key) return &parts[i + 1];
  }
  return nullptr;
}

PythonTree* PythonTree::find(std::string_view key) {
  return const_cast<PythonTree*>(std::as_const(*this).find(key));
}

PythonTree python_scalar(std::string text, Span span, Style style) {
  PythonTree scalar;
  scalar.kind = NodeKind::scalar;
  scalar.style = style;
  scalar.span = span;
  scalar.text = std::move(text);
  return scalar;
}

PythonTree python_mapping(Span span) {
  PythonTree mapping;
  mapping.span = span;
  return mapping;
}

PythonTree python_unknown(Span span) {
  PythonTree unknown = python_scalar({}, span, Style::double_quoted);
  unknown.opaque = true;
  return unknown;
}

std::unique_ptr<Document> make_document(const PythonTree& tree, FileId file, Span whole) {
  auto document = std::make_unique<Document>();
  document->file = file;
  document->span = whole;
  document->root = append(tree, no_node, whole, *document);
  return document;
}

}  // namespace gpulint::flyte
