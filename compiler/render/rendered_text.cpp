#include "compiler/render/rendered_text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "frontend/embedded.h"
#include "frontend/yaml_parser.h"

namespace gpulint::render {
namespace {

[[nodiscard]] bool covers(Span outer, std::uint32_t begin, std::uint32_t end) {
  return outer.begin <= begin && end <= outer.end;
}

using PlainKey = std::function<std::string(std::string_view)>;

class Pairing {
 public:
  Pairing(const PlainKey& plain_key, Twins& twins) : plain_key_(plain_key), twins_(twins) {}

  [[nodiscard]] bool pair(Node first, Node second) {
    if (first.kind() != second.kind() || first.size() != second.size()) return false;
    if (!first) return true;
    note(first, second);
    if (first.is_sequence()) return pair_items(first, second);
    return !first.is_mapping() || pair_entries(first, second);
  }

 private:
  void note(Node first, Node second) {
    twins_.insert_or_assign({first.document(), first.index()}, second);
  }

  [[nodiscard]] bool pair_items(Node first, Node second) {
    const std::vector<Node> ours = first.children();
    const std::vector<Node> theirs = second.children();
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (!pair(ours[i], theirs[i])) return false;
    }
    return true;
  }

  /// Entries pair by their keys: Helm sorts some mappings, and a mark in a key changes the order.
  [[nodiscard]] bool pair_entries(Node first, Node second) {
    std::multimap<std::string, Node::Entry> theirs;
    for (const Node::Entry& entry : second.entries()) {
      theirs.emplace(plain_key_(entry.key.text()), entry);
    }
    for (const Node::Entry& ours : first.entries()) {
      const auto found = theirs.find(std::string(ours.key.text()));
      if (found == theirs.end()) return false;
      note(ours.key, found->second.key);
      if (!pair(ours.value, found->second.value)) return false;
      theirs.erase(found);
    }
    return true;
  }

  const PlainKey& plain_key_;
  Twins& twins_;
};

}  // namespace

RenderedText::RenderedText(const std::string& name, std::string text)
    : file_(std::make_unique<SourceFile>(0, name, std::move(text))),
      parts_(split_stream(file_->text())),
      documents_(parts_.size()) {}

void RenderedText::add_embedded() {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    std::ranges::move(embedded_documents(document(i), *file_), std::back_inserter(documents_));
  }
}

const Document& RenderedText::document(std::size_t i) const {
  std::unique_ptr<Document>& document = documents_[i];
  if (!document) document = parse_document(*file_, parts_[i]);
  return *document;
}

std::string_view RenderedText::text_of(std::size_t i) const {
  return file_->text().substr(parts_[i].begin, parts_[i].end - parts_[i].begin);
}

const Document* RenderedText::document_at(std::uint32_t begin) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].begin <= begin && begin <= parts_[i].end) return &document(i);
  }
  return nullptr;
}

Spot find_spot(const Document& document, std::uint32_t begin, std::uint32_t end) {
  Node node = root(document);
  if (!node || !covers(node.span(), begin, end)) return {};
  while (true) {
    const Span own = node.span();
    if (!(node.is_mapping() || node.is_sequence()) || (own.begin == begin && own.end == end)) {
      return {node, Spot::Part::value};
    }
    Node next;
    for (const Node child : node.children()) {
      if (node.is_mapping() && child.value()) {
        if (covers(child.span(), begin, end)) return {child.value(), Spot::Part::key};
        continue;
      }
      if (child.key() && child.entry_span().begin == begin && child.entry_span().end == end) {
        return {child, Spot::Part::entry};
      }
      if (covers(child.span(), begin, end)) next = child;
    }
    if (!next) return {node, Spot::Part::value};
    node = next;
  }
}

bool pair_nodes(const RenderedText& first, const RenderedText& second, const PlainKey& plain_key,
                Twins& twins) {
  if (first.size() != second.size()) return false;
  Pairing pairing(plain_key, twins);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first.text_of(i) == second.text_of(i)) continue;
    const Document& ours = first.document(i);
    const Document& theirs = second.document(i);
    if (ours.errors.empty() != theirs.errors.empty()) return false;
    if (ours.is_template != theirs.is_template) return false;
    if (!pairing.pair(root(ours), root(theirs))) return false;
  }
  return true;
}

Node twin_of(const Twins& twins, Node node) {
  const auto found = twins.find({node.document(), node.index()});
  return found == twins.end() ? Node{} : found->second;
}

}  // namespace gpulint::render
