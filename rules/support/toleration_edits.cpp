#include "rules/support/toleration_edits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"

namespace gpulint::rules {
namespace {

/// To a list of maps with one resource each.
[[nodiscard]] std::vector<Edit> add_to_list(const SourceSet& sources, Node list,
                                            const std::string& resource,
                                            const std::vector<std::string>& lines) {
  for (const Node entry : list.items()) {
    const Node tolerations = entry.get(resource);
    if (tolerations.is_sequence()) return append_item(sources, tolerations, lines);
    if (tolerations) return {};
  }
  return append_item(
      sources, list,
      {fmt::format("{}: [{{{}}}]", written_string(list, resource), fmt::join(lines, ", "))});
}

}  // namespace

std::vector<std::string> toleration_lines(Node near, const std::string& key,
                                          const std::string& value, const std::string& effect) {
  const auto line = [&](std::string_view name, const std::string& text) {
    return fmt::format("{}: {}", written_string(near, name), written_string(near, text));
  };
  std::vector<std::string> lines = {line("key", key)};
  if (value.empty()) {
    lines.push_back(line("operator", "Exists"));
  } else {
    lines.push_back(line("operator", "Equal"));
    lines.push_back(line("value", value));
  }
  lines.push_back(line("effect", effect));
  return lines;
}

std::vector<Edit> add_toleration(const SourceSet& sources, const PodSpec& pod,
                                 const std::string& key, const std::string& value,
                                 const std::string& effect) {
  const std::vector<std::string> lines = toleration_lines(pod.node, key, value, effect);
  if (pod.tolerations_node.is_sequence() || pod.tolerations_node.is_null()) {
    return append_item(sources, pod.tolerations_node, lines);
  }
  if (pod.tolerations_node || !pod.node.is_mapping()) return {};
  if (pod.node.style() == Style::flow) {
    return insert_entry(sources, pod.node, "tolerations",
                        fmt::format("[{{{}}}]", fmt::join(lines, ", ")));
  }
  return insert_entry(sources, pod.node, "tolerations",
                      fmt::format("\n- {}", fmt::join(lines, "\n  ")));
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

std::vector<Edit> add_resource_toleration(const SourceSet& sources, Node anchor,
                                          const std::string& resource, const std::string& key,
                                          const std::string& value, const std::string& effect) {
  const std::vector<std::string> lines = toleration_lines(anchor, key, value, effect);
  const std::string item = fmt::format("\n- {}", fmt::join(lines, "\n  "));
  const std::string flow_item = fmt::format("[{{{}}}]", fmt::join(lines, ", "));
  const Node key_node = anchor.key();
  if (anchor.is_sequence()) return add_to_list(sources, anchor, resource, lines);
  if (!key_node) return {};
  const bool is_list = equal_fold(key_node.text(), "resource-tolerations");
  // A later layer's null, which leaves Flyte without any.
  if (anchor.is_null() && is_list) return insert_entry(sources, anchor, resource, item);
  if (!anchor.is_mapping()) return {};
  if (!is_list && !equal_fold(key_node.text(), "k8s")) return {};
  if (!is_list) {
    if (anchor.style() == Style::flow) return {};
    std::string nested;
    for (const char c : item) nested += c == '\n' ? std::string("\n  ") : std::string(1, c);
    return insert_entry(sources, anchor, "resource-tolerations",
                        fmt::format("\n  {}:{}", yaml_string(resource), nested));
  }
  const Node of_resource = anchor.get(resource);
  if (of_resource.is_sequence()) return append_item(sources, of_resource, lines);
  if (of_resource) return {};
  return insert_entry(sources, anchor, resource, anchor.style() == Style::flow ? flow_item : item);
}

}  // namespace gpulint::rules
