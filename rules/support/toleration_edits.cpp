#include "rules/support/toleration_edits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"

namespace gpulint::rules {
namespace {

/// The `key: value` lines.
[[nodiscard]] ListItem item_of(Node near, const NewToleration& toleration) {
  const auto line = [&](std::string_view name, const std::string& text) {
    return fmt::format("{}: {}", written_string(near, name), written_string(near, text));
  };
  ListItem lines = {line("key", toleration.key)};
  if (toleration.value.empty()) {
    lines.push_back(line("operator", "Exists"));
  } else {
    lines.push_back(line("operator", "Equal"));
    lines.push_back(line("value", toleration.value));
  }
  lines.push_back(line("effect", toleration.effect));
  return lines;
}

/// To a list of maps with one resource each.
[[nodiscard]] std::vector<Edit> add_to_list(const SourceSet& sources, Node list,
                                            const std::string& resource,
                                            const std::vector<ListItem>& items) {
  for (const Node entry : list.items()) {
    const Node tolerations = entry.get(resource);
    if (tolerations.is_sequence()) return append_items(sources, tolerations, items);
    if (tolerations) return {};
  }
  return append_item(sources, list,
                     {fmt::format("{}: [{}]", written_string(list, resource), flow_items(items))});
}

}  // namespace

std::vector<ListItem> toleration_items(Node near, const std::vector<NewToleration>& tolerations) {
  std::vector<ListItem> items;
  for (const NewToleration& toleration : tolerations) items.push_back(item_of(near, toleration));
  return items;
}

std::vector<Edit> add_tolerations(const SourceSet& sources, const PodSpec& pod,
                                  const std::vector<NewToleration>& tolerations) {
  const std::vector<ListItem> items = toleration_items(pod.node, tolerations);
  if (pod.tolerations_node.is_sequence() || pod.tolerations_node.is_null()) {
    return append_items(sources, pod.tolerations_node, items);
  }
  if (pod.tolerations_node || !pod.node.is_mapping()) return {};
  const bool is_flow = pod.node.style() == Style::flow;
  return insert_entry(sources, pod.node, "tolerations",
                      is_flow ? "[" + flow_items(items) + "]" : block_items(items, "\n"));
}

std::vector<Edit> correct_value(const SourceSet& sources, const Toleration& toleration,
                                const std::string& value) {
  const Node written = toleration.value.is_known() ? toleration.value.node() : Node{};
  if (written) {
    // What was compiled may differ from what is written.
    return written.text() == toleration.value.value() ? replace_string(sources, written, value)
                                                      : std::vector<Edit>{};
  }
  if (!toleration.node.is_mapping() || value.empty()) return {};
  return insert_entry(sources, toleration.node, "value", yaml_string(value));
}

std::vector<Edit> add_resource_tolerations(const SourceSet& sources, Node anchor,
                                           const std::string& resource,
                                           const std::vector<NewToleration>& tolerations) {
  const std::vector<ListItem> items = toleration_items(anchor, tolerations);
  const Node key_node = anchor.key();
  if (anchor.is_sequence()) return add_to_list(sources, anchor, resource, items);
  if (!key_node) return {};
  const bool is_list = equal_fold(key_node.text(), "resource-tolerations");
  // A later layer's null, which leaves Flyte without any.
  if (anchor.is_null() && is_list) {
    return insert_entry(sources, anchor, resource, block_items(items, "\n"));
  }
  if (!anchor.is_mapping()) return {};
  if (!is_list && !equal_fold(key_node.text(), "k8s")) return {};
  if (!is_list) {
    if (anchor.style() == Style::flow) return {};
    return insert_entry(
        sources, anchor, "resource-tolerations",
        fmt::format("\n  {}:{}", yaml_string(resource), block_items(items, "\n  ")));
  }
  const Node of_resource = anchor.get(resource);
  if (of_resource.is_sequence()) return append_items(sources, of_resource, items);
  if (of_resource) return {};
  return insert_entry(
      sources, anchor, resource,
      anchor.style() == Style::flow ? "[" + flow_items(items) + "]" : block_items(items, "\n"));
}

}  // namespace gpulint::rules
