#include "compiler/schedule/virtual_resources.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "compiler/ir/read.h"
#include "compiler/model/objects.h"

namespace gpulint {
namespace {

/// Keys of configurations that share or partition GPUs.
[[nodiscard]] bool is_sharing_key(std::string_view key) {
  constexpr auto keys = std::to_array<std::string_view>(
      {"timeSlicing", "mps", "mig-configs", "migStrategy", "deviceSplitCount"});
  return std::ranges::find(keys, key) != keys.end();
}

/// Whether a configuration among the inputs shares or partitions GPUs.
[[nodiscard]] bool shares_devices(const ScopeModel& model) {
  // Skip Nodes: there are many, and they configure nothing.
  std::set<const Document*> of_nodes;
  for (const KubernetesObject& object : model.objects) {
    if (object.kind.equals("Node")) of_nodes.insert(object.node.document());
  }
  return std::ranges::any_of(model.documents, [&](const Document* document) {
    return !of_nodes.contains(document) &&
           any_below(root(*document), [](Node at) { return is_sharing_key(at.key().text()); });
  });
}

}  // namespace

std::set<std::string, std::less<>> virtual_resources(const ScopeModel& model) {
  std::set<std::string, std::less<>> names;
  for (const KubernetesObject& object : model.objects) {
    if (!object.kind.equals("DeviceClass")) continue;
    const auto name = read_string(object.node.get("spec"), "extendedResourceName");
    if (name.is_known()) names.insert(name.value());
    if (name.is_opaque()) names.insert(any_resource);
  }
  if (shares_devices(model)) names.insert(shared_devices);
  return names;
}

}  // namespace gpulint
