#include "compiler/ir/key_path.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

namespace gpulint {
namespace {

[[nodiscard]] std::string key_segment(std::string_view key) {
  if (key.empty() || key.find_first_of(". []\"") != std::string_view::npos) {
    return fmt::format("[\"{}\"]", key);
  }
  return fmt::format(".{}", key);
}

/// Number of siblings before `item`.
[[nodiscard]] std::size_t position_in(Node sequence, Node item) {
  const std::vector<NodeData>& nodes = sequence.document()->nodes;
  std::size_t position = 0;
  for (NodeIndex at = nodes[sequence.index()].first_child; at != item.index();
       at = nodes[at].next) {
    ++position;
  }
  return position;
}

}  // namespace

std::string escape_pointer_segment(std::string_view key) {
  std::string result;
  for (const char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

std::string unescape_pointer_segment(std::string_view segment) {
  std::string text;
  for (std::size_t i = 0; i < segment.size(); ++i) {
    const char next = segment[i] == '~' && i + 1 < segment.size() ? segment[i + 1] : '\0';
    const bool is_escape = next == '0' || next == '1';
    text.push_back(!is_escape ? segment[i] : next == '0' ? '~' : '/');
    if (is_escape) ++i;
  }
  return text;
}

std::string key_path(Node node) {
  std::vector<std::string> segments;
  node = node.written();
  for (Node at = node; at;) {
    const Node parent = at.parent();
    if (parent.is_sequence()) {
      segments.push_back(fmt::format("[{}]", position_in(parent, at)));
    } else if (parent.is_mapping()) {
      const Node key = at.key() ? at.key() : at;
      segments.push_back(key_segment(key.text()));
    }
    at = parent;
  }
  std::ranges::reverse(segments);
  std::string path = fmt::format("{}", fmt::join(segments, ""));
  if (path.starts_with('.')) path.erase(0, 1);
  const Document* document = node.document();
  if (document == nullptr || document->host == nullptr) return path;
  return key_path(Node(*document->host, document->host_node)) + "/" + path;
}

std::vector<Node> nodes_at(Node node, std::string_view path) {
  if (!node) return {};
  if (path.empty()) return {node};
  const std::size_t dot = std::min(path.find('.'), path.size());
  std::string_view name = path.substr(0, dot);
  const std::string_view rest = path.substr(std::min(dot + 1, path.size()));
  const bool is_each = name.ends_with("[]") || name.ends_with("{}");
  if (!is_each) return nodes_at(node.get(name), rest);
  const bool is_list = name.ends_with("[]");
  name.remove_suffix(2);
  std::vector<Node> found;
  if (is_list) {
    for (const Node item : node.get(name).items()) {
      std::ranges::move(nodes_at(item, rest), std::back_inserter(found));
    }
  } else {
    for (const Node::Entry& entry : node.get(name).fields()) found.push_back(entry.key);
  }
  return found;
}

}  // namespace gpulint
