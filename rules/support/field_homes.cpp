#include "rules/support/field_homes.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "rules/support/move_entry.h"

namespace gpulint::rules {
namespace {

constexpr std::array homes = {Home{"limits", "a container's `resources`"},
                              Home{"requests", "a container's `resources`"},
                              Home{"resources", "a container"},
                              Home{"tolerations", "the pod's `spec`"},
                              Home{"nodeSelector", "the pod's `spec`"},
                              Home{"affinity", "the pod's `spec`"},
                              Home{"nodeAffinity", "`affinity`"},
                              Home{"runtimeClassName", "the pod's `spec`"},
                              Home{"containers", "the pod's `spec`"},
                              Home{"hard", "the quota's `spec`"},
                              Home{"taints", "the node's `spec`"},
                              Home{"spec", "the object, beside `metadata`"}};

[[nodiscard]] bool is_pod_field(std::string_view field) {
  constexpr std::array<std::string_view, 4> fields{"tolerations", "nodeSelector", "affinity",
                                                   "runtimeClassName"};
  return std::ranges::find(fields, field) != fields.end();
}

[[nodiscard]] bool is_inside(Node node, Node ancestor) {
  while (node && node != ancestor) node = node.parent();
  return bool(node);
}

/// The one pod of the object that the value may belong to: around it, or the only one there is.
[[nodiscard]] Node pod_of(const Corpus& corpus, Node value, const Workload& some) {
  std::vector<Node> pods;
  for (const Workload& workload : corpus.workloads) {
    if (workload.object != some.object) continue;
    if (is_inside(value, workload.pod.node)) return workload.pod.node;
    pods.push_back(workload.pod.node);
  }
  return pods.size() == 1 ? pods.front() : Node{};
}

/// Whether the mapping has the field in another spelling, which would become the same key.
[[nodiscard]] bool has_misspelt(Node mapping, std::string_view field) {
  return std::ranges::any_of(mapping.entries(), [&](const Node::Entry& entry) {
    return entry.key.text() != field && nearest_home(entry.key.text()) == field;
  });
}

}  // namespace

const Home* find_home(std::string_view field) {
  const auto* found = std::ranges::find(homes, field, &Home::field);
  return found == homes.end() ? nullptr : found;
}

std::optional<std::string_view> nearest_home(std::string_view written) {
  std::array<std::string_view, homes.size()> fields;
  std::ranges::transform(homes, fields.begin(), &Home::field);
  const auto meant = nearest(written, fields);
  const bool is_near = meant && edit_distance(to_lower(written), to_lower(*meant), 2) <= 2;
  return is_near ? meant : std::nullopt;
}

std::string describe_owner(Node key) {
  const Node owner = key.parent();
  if (owner.key()) return fmt::format("`{}`", owner.key().text());
  const Node list = owner.parent();
  return list.is_sequence() && list.key() && list.key().text() != "items"
             ? fmt::format("an entry of `{}`", list.key().text())
             : "the object";
}

std::vector<Edit> move_home(const Corpus& corpus, Node value, const Workload* workload) {
  if (!value) return {};
  const std::string_view field = value.key().text();
  const Node holder = value.parent();
  if (field == "spec") {
    const bool is_beside_name = holder.key().text() == "metadata" && value.is_mapping();
    return is_beside_name ? move_out(*corpus.sources, value) : std::vector<Edit>{};
  }
  if (!is_pod_field(field) || workload == nullptr) return {};
  const Node pod = pod_of(corpus, value, *workload);
  if (!pod || pod == holder || has_misspelt(pod, field)) return {};
  return move_entry(*corpus.sources, value, {pod, {}});
}

std::vector<Edit> move_into_resources(const SourceSet& sources, Node list) {
  const Node container = list.parent();
  if (const Node resources = container.get("resources")) {
    return move_entry(sources, list, {resources, {}});
  }
  // Two at once would make the key twice.
  if (container.get("limits") && container.get("requests")) return {};
  return move_entry(sources, list, {container, {"resources"}});
}

}  // namespace gpulint::rules
