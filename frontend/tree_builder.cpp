#include "frontend/tree_builder.h"

#include <algorithm>

namespace gpulint {

TreeBuilder::TreeBuilder(Document& document, std::string_view text, Extent range)
    : document_(&document), reader_(text, range, document.file, document.comments) {}

NodeIndex TreeBuilder::add_node(NodeKind kind, std::size_t anchor) {
  const auto index = static_cast<NodeIndex>(document_->nodes.size());
  document_->nodes.emplace_back().kind = kind;
  link(index);
  if (anchor != 0) {
    if (anchored_.size() <= anchor) anchored_.resize(anchor + 1, no_node);
    anchored_[anchor] = index;
  }
  return index;
}

void TreeBuilder::link(NodeIndex index) {
  if (open_.empty()) {
    document_->root = index;
    return;
  }
  Frame& frame = open_.back();
  NodeData& parent = document_->nodes[frame.node];
  NodeData& node = document_->nodes[index];
  node.parent = frame.node;
  if (parent.kind == NodeKind::mapping && parent.child_count % 2 == 1) node.key = frame.last_child;
  if (frame.last_child == no_node) {
    parent.first_child = index;
  } else {
    document_->nodes[frame.last_child].next = index;
  }
  ++parent.child_count;
  frame.last_child = index;
}

std::string_view TreeBuilder::keep(std::string_view value) {
  return document_->strings.emplace_back(value);
}

void TreeBuilder::set_properties(NodeIndex index, const WrittenProperties& written,
                                 std::string_view tag) {
  if (written.anchor.empty() && written.tag.empty()) return;
  document_->nodes[index].properties = static_cast<std::uint32_t>(document_->properties.size());
  document_->properties.push_back({.anchor = written.anchor,
                                   .tag = written.tag.empty() ? std::string_view{} : keep(tag),
                                   .begin = written.extent.begin});
}

void TreeBuilder::skip_indicators() {
  for (reader_.skip_blank();; reader_.skip_blank()) {
    const char c = reader_.peek(reader_.at());
    if (c != '-' && c != '?' && c != ':' && c != ',') return;
    static_cast<void>(reader_.read_indicator(c));
  }
}

void TreeBuilder::add_null(std::size_t anchor) {
  const NodeIndex index = add_node(NodeKind::scalar, anchor);
  std::uint32_t place = reader_.at();
  reader_.skip_blank();
  const bool in_mapping =
      !open_.empty() && document_->nodes[open_.back().node].kind == NodeKind::mapping;
  const bool is_value = document_->nodes[index].key != no_node;
  for (const char indicator : {',', in_mapping ? (is_value ? ':' : '?') : '-'}) {
    if (!reader_.read_indicator(indicator)) continue;
    place = reader_.at();
    reader_.skip_blank();
  }
  const WrittenProperties written = reader_.read_properties();
  if (written.extent.end > written.extent.begin) place = written.extent.end;
  Extent extent = reader_.read_null();
  if (extent.begin == extent.end) extent = {place, place};
  NodeData& node = document_->nodes[index];
  node.begin = extent.begin;
  node.end = extent.end;
  node.text = reader_.text(extent);
  set_properties(index, written, written.tag);
}

void TreeBuilder::add_alias(std::uint32_t start, std::size_t anchor) {
  const NodeIndex index = add_node(NodeKind::alias, 0);
  reader_.move_to(start);
  static_cast<void>(reader_.read_indicator('*'));
  const std::uint32_t name = reader_.at();
  std::uint32_t end = name;
  for (char c = reader_.peek(end);
       c != '\0' && std::string_view(" \t\r\n,]}[{").find(c) == std::string_view::npos;
       c = reader_.peek(end)) {
    ++end;
  }
  reader_.move_to(end);
  NodeData& node = document_->nodes[index];
  node.begin = start;
  node.end = end;
  node.text = reader_.text({name, end});
  node.target = anchor < anchored_.size() ? anchored_[anchor] : no_node;
}

void TreeBuilder::add_scalar(std::uint32_t start, std::size_t anchor, std::string_view tag,
                             std::string_view value) {
  const NodeIndex index = add_node(NodeKind::scalar, anchor);
  reader_.move_to(start);
  const WrittenProperties written = reader_.read_properties();
  const bool is_empty = value.empty() && reader_.scalar_style() == Style::plain;
  NodeData& node = document_->nodes[index];
  if (is_empty) {
    node.begin = node.end = written.extent.end;
  } else {
    node.style = reader_.scalar_style();
    const Extent extent = reader_.read_scalar(value, node.style);
    node.begin = extent.begin;
    node.end = extent.end;
    const std::uint32_t quotes =
        node.style == Style::single_quoted || node.style == Style::double_quoted ? 1 : 0;
    const std::string_view inner = extent.end - extent.begin >= 2 * quotes
                                       ? reader_.text({extent.begin + quotes, extent.end - quotes})
                                       : std::string_view{};
    node.text = inner == value ? inner : keep(value);
  }
  set_properties(index, written, tag);
}

void TreeBuilder::begin_collection(NodeKind kind, std::uint32_t start, std::size_t anchor,
                                   std::string_view tag, Properties properties) {
  const NodeIndex index = add_node(kind, anchor);
  reader_.move_to(start);
  WrittenProperties written{.extent = {start, start}};
  if (properties == Properties::present) written = reader_.read_properties();
  NodeData& node = document_->nodes[index];
  const char bracket = kind == NodeKind::sequence ? '[' : '{';
  const bool has_bracket = reader_.read_indicator(bracket);
  node.style = has_bracket ? Style::flow : Style::block;
  node.begin = node.end = reader_.at() - (has_bracket ? 1 : 0);
  set_properties(index, written, tag);
  open_.push_back({.node = index, .has_bracket = has_bracket});
}

void TreeBuilder::end_collection() {
  const Frame frame = open_.back();
  open_.pop_back();
  NodeData& node = document_->nodes[frame.node];
  if (frame.has_bracket) {
    skip_indicators();
    static_cast<void>(reader_.read_indicator(node.kind == NodeKind::sequence ? ']' : '}'));
    node.end = reader_.at();
  } else if (frame.last_child != no_node) {
    node.end = std::max(node.begin, document_->nodes[frame.last_child].end);
  }
}

void TreeBuilder::finish() {
  while (!open_.empty()) {
    const Frame frame = open_.back();
    if (document_->nodes[frame.node].kind == NodeKind::mapping &&
        document_->nodes[frame.node].child_count % 2 == 1) {
      const NodeIndex value = add_node(NodeKind::scalar, 0);  // a key that lost its value
      document_->nodes[value].begin = document_->nodes[value].end = reader_.at();
    }
    open_.pop_back();
    NodeData& node = document_->nodes[frame.node];
    node.end = std::max(node.end, reader_.at());
  }
  reader_.skip_blank();
}

}  // namespace gpulint
