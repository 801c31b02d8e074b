#include "compiler/model/dra/reader.h"

#include "compiler/model/go_json.h"

namespace gpulint::dra {

std::string Reader::text(Node node) {
  const Field<std::string> field = decode_string(node);
  note(field);
  return field.value_or("");
}

bool Reader::truth(Node node) {
  const Field<bool> field = decode_bool(node);
  note(field);
  return field.value_or(false);
}

std::int64_t Reader::number(Node node, std::int64_t fallback) {
  const Field<std::int64_t> field = decode_int(node);
  note(field);
  return field.value_or(fallback);
}

std::optional<Quantity> Reader::quantity(Node node) {
  if (!node || is_json_null(node)) return std::nullopt;
  std::optional<Quantity> read;
  if (node.is_scalar() && !node.is_opaque()) read = Quantity::parse(node.text());
  if (!read) leave_open();
  return read;
}

std::vector<Node> Reader::items(Node node) {
  if (!node || is_json_null(node)) return {};
  const Node resolved = node.resolved();
  if (node.is_opaque() || !resolved.is_sequence()) leave_open();
  std::vector<Node> read = resolved.items();
  for (const Node item : read) {
    if (item.is_opaque()) leave_open();
  }
  return read;
}

std::vector<std::pair<std::string, Node>> Reader::members(Node node) {
  std::vector<std::pair<std::string, Node>> read;
  if (!node || is_json_null(node)) return read;
  if (node.is_opaque() || !node.resolved().is_mapping()) leave_open();
  for (const JsonMember& member : decode_object(node)) {
    if (member.opaque_key) leave_open();
    read.emplace_back(member.key, member.value);
  }
  return read;
}

Amounts Reader::amounts(Node node, bool has_values) {
  Amounts read;
  for (const auto& [name, value] : members(node)) {
    const auto amount = quantity(has_values ? value.get("value") : value);
    if (amount) {
      read.emplace_back(name, *amount);
    } else {
      leave_open();
    }
  }
  return read;
}

NodeChoice Reader::nodes(Node node) {
  NodeChoice choice;
  choice.name = text(node.get("nodeName"));
  choice.is_everywhere = truth(node.get("allNodes"));
  const Node selector = node.get("nodeSelector");
  if (selector && !is_json_null(selector)) choice.selector = selector;
  if (selector.is_opaque()) leave_open();
  return choice;
}

}  // namespace gpulint::dra
