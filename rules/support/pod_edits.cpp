#include "rules/support/pod_edits.h"

#include <algorithm>
#include <iterator>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"

namespace gpulint::rules {
namespace {

/// Adds the edit that makes `due` of what is written; false where it cannot be done.
[[nodiscard]] bool replace(const SourceSet& sources, Node written, const std::string& is,
                           const std::string& due, std::vector<Edit>& edits) {
  if (is == due) return true;
  if (!written || written.text() != is) return false;
  const std::vector<Edit> edit = replace_string(sources, written, due);
  edits.insert(edits.end(), edit.begin(), edit.end());
  return !edit.empty();
}

/// Whether nothing but amounts, which are scalars, follows in the mapping.
[[nodiscard]] bool stands_before_amounts(Node amount) {
  const std::vector<Node::Entry> entries = amount.parent().entries();
  const auto first = std::ranges::find(entries, amount, &Node::Entry::value);
  return std::all_of(first, entries.end(), [](const Node::Entry& entry) {
    return entry.value.is_scalar() && !entry.value.is_null();
  });
}

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

std::vector<Edit> correct_labels(const SourceSet& sources, const Cause& cause,
                                 const MeantLabel& meant) {
  const auto& unmatched = std::get<UnmatchedRequirement>(cause.what);
  std::vector<Edit> edits;
  const bool is_key_due = replace(sources, unmatched.key_node, unmatched.key, meant.key, edits);
  const bool is_due = is_key_due && (unmatched.wanted.empty() ||
                                     replace(sources, unmatched.value_node,
                                             unmatched.wanted.front(), meant.value, edits));
  if (!is_due) return {};
  std::ranges::sort(edits);
  return edits;
}

std::vector<Edit> rename_resource(const SourceSet& sources, const PodSpec& pod,
                                  std::string_view name, std::string_view new_name) {
  std::vector<Edit> edits;
  for (const Container& container : pod.containers) {
    for (const auto* entries : {&container.resources.limits, &container.resources.requests}) {
      if (find_entry(*entries, name) != nullptr && find_entry(*entries, new_name) != nullptr) {
        return {};
      }
      for (const ResourceEntry& entry : *entries) {
        if (entry.name.value != name) continue;
        if (entry.name.node.text() != name) return {};  // written in an operator's own words
        std::vector<Edit> renamed = replace_string(sources, entry.name.node, new_name);
        if (renamed.empty()) return {};
        std::ranges::move(renamed, std::back_inserter(edits));
      }
    }
  }
  std::ranges::sort(edits);  // an anchored map may be met twice
  edits.erase(std::ranges::unique(edits).begin(), edits.end());
  return edits;
}

std::vector<Edit> move_to_limits(const SourceSet& sources, Node amount) {
  const Node limits = amount.parent().get("limits");
  if (!amount.is_scalar()) return {};
  if (!limits) {
    return stands_before_amounts(amount) ? nest_from(sources, amount, "limits")
                                         : std::vector<Edit>{};
  }
  std::vector<Edit> edits = remove_entry(sources, amount);
  const std::vector<Edit> added =
      insert_entry(sources, limits, amount.key().text(), sources.text(amount.span()));
  if (edits.empty() || added.empty()) return {};
  std::ranges::copy(added, std::back_inserter(edits));
  return edits;
}

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
