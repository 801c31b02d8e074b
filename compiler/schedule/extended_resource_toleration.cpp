#include "compiler/schedule/extended_resource_toleration.h"

#include <map>
#include <string_view>

#include "compiler/model/kubernetes_names.h"
#include "compiler/schedule/pod_requests.h"

namespace gpulint {
namespace {

[[nodiscard]] Toleration toleration_for(const std::string& resource, Node node) {
  return {.node = node,
          .key = Field<std::string>::known(resource, node),
          .op = Field<std::string>::known("Exists", node),
          .value = {},
          .effect = Field<std::string>::known("NoSchedule", node),
          .toleration_seconds = {}};
}

[[nodiscard]] bool equals(const Field<std::string>& field, std::string_view text) {
  return field.is_known() ? field.value() == text : field.is_absent() && text.empty();
}

/// Whether key, operator, value and effect are equal.
[[nodiscard]] bool is_same(const Toleration& toleration, const std::string& resource) {
  return equals(toleration.key, resource) && equals(toleration.op, "Exists") &&
         equals(toleration.value, "") && equals(toleration.effect, "NoSchedule");
}

}  // namespace

AdmittedTolerations admit_extended_resources(const PodSpec& pod) {
  std::map<std::string, Node> resources;
  for (const Container& container : pod.containers) {
    if (container.kind == ContainerKind::ephemeral) continue;
    for (const ResourceEntry& entry : defaulted_requests(container.resources)) {
      if (is_extended_resource(entry.name.value)) {
        resources.try_emplace(entry.name.value, entry.name.node);
      }
    }
  }
  AdmittedTolerations result{pod.tolerations, {}};
  for (const auto& [resource, node] : resources) {
    bool is_there = false;
    for (Toleration& toleration : result.tolerations) {
      if (!is_same(toleration, resource)) continue;
      is_there = true;
      toleration.toleration_seconds = {};
    }
    if (is_there) continue;
    result.tolerations.push_back(toleration_for(resource, node));
    result.added.push_back(resource);
  }
  return result;
}

}  // namespace gpulint
