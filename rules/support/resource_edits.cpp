#include "rules/support/resource_edits.h"

#include <algorithm>
#include <iterator>

#include "compiler/edit/edits.h"

namespace gpulint::rules {
namespace {

/// Whether nothing but amounts, which are scalars, follows in the mapping.
[[nodiscard]] bool stands_before_amounts(Node amount) {
  const std::vector<Node::Entry> entries = amount.parent().entries();
  const auto first = std::ranges::find(entries, amount, &Node::Entry::value);
  return std::all_of(first, entries.end(), [](const Node::Entry& entry) {
    return entry.value.is_scalar() && !entry.value.is_null();
  });
}

}  // namespace

std::vector<Edit> rename_resource(const SourceSet& sources, const PodSpec& pod,
                                  std::string_view name, std::string_view new_name) {
  std::vector<Edit> edits;
  for (const Container& container : pod.containers) {
    for (const auto* entries : {&container.resources.limits, &container.resources.requests}) {
      const auto has = [&](std::string_view wanted) {
        return std::ranges::any_of(
            *entries, [&](const ResourceEntry& entry) { return entry.name.value == wanted; });
      };
      if (has(name) && has(new_name)) return {};
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

}  // namespace gpulint::rules
