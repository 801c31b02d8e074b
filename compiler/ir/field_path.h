#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "compiler/ir/node.h"

namespace gpulint {

/// Calls `found` with each node at a path below `from`: keys separated by dots, where `list[]`
/// means each item, `map[*]` each value, and `map[a.b/c]` the key `a.b/c`.
template <class Found>
void for_each_at(Node from, std::string_view path, const Found& found) {
  if (path.empty()) {
    if (from) found(from);
    return;
  }
  const std::size_t end = std::min(path.find_first_of(".["), path.size());
  const Node at = from.get(path.substr(0, end));
  path.remove_prefix(end);
  std::string_view inside;
  const bool has_brackets = path.starts_with('[');
  if (has_brackets) {
    const std::size_t close = std::min(path.find(']'), path.size() - 1);
    inside = path.substr(1, close - 1);
    path.remove_prefix(close + 1);
  }
  if (path.starts_with('.')) path.remove_prefix(1);
  if (!has_brackets) {
    for_each_at(at, path, found);
  } else if (inside.empty()) {
    for (const Node item : at.items()) for_each_at(item, path, found);
  } else if (inside == "*") {
    for (const Node::Entry& entry : at.fields()) for_each_at(entry.value, path, found);
  } else {
    for_each_at(at.get(inside), path, found);
  }
}

/// The first node at the path; nothing where there is none.
[[nodiscard]] inline Node first_at(Node from, std::string_view path) {
  Node first;
  for_each_at(from, path, [&](Node at) { first = first ? first : at; });
  return first;
}

}  // namespace gpulint
