#include "compiler/model/kinds/runtime_classes.h"

#include <algorithm>
#include <iterator>

#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

void mark_scheduling_unknown(PodSpec& pod) {
  pod.node_selector_opaque = true;
  pod.tolerations_opaque = true;
}

/// The controller of DaemonSets asks for the tolerations of the template alone.
void add_class(Workload& workload, Node object) {
  PodSpec& pod = workload.pod;
  const Node scheduling = object.get("scheduling");
  if (scheduling.is_opaque()) return mark_scheduling_unknown(pod);
  const PodSpec added = read_pod_spec(scheduling);
  for (const LabelEntry& entry : added.node_selector) {
    const auto decides = [&](const LabelEntry& own) {
      return own.key.value == entry.key.value && own.value.is_known() && entry.value.is_known();
    };
    if (std::ranges::none_of(pod.node_selector, decides)) pod.node_selector.push_back(entry);
  }
  if (!workload.kind.equals("DaemonSet")) {
    std::ranges::copy(added.tolerations, std::back_inserter(pod.tolerations));
  }
  pod.node_selector_opaque = pod.node_selector_opaque || added.node_selector_opaque;
  pod.tolerations_opaque = pod.tolerations_opaque || added.tolerations_opaque;
  if (pod.overhead.empty()) pod.overhead = read_resource_list(object.at("overhead", "podFixed"));
  pod.has_runtime_class = true;
}

}  // namespace

RuntimeClasses find_runtime_classes(const std::vector<KubernetesObject>& objects) {
  RuntimeClasses classes;
  for (const KubernetesObject& object : objects) {
    if (!object.kind.equals("RuntimeClass")) continue;
    const auto [at, is_new] = classes.emplace(object_name(object.node), object.node);
    if (!is_new) at->second = std::nullopt;
  }
  return classes;
}

void add_runtime_class(const RuntimeClasses& classes, Workload& workload) {
  PodSpec& pod = workload.pod;
  const Field<std::string>& name = pod.runtime_class_name;
  const auto known = name.is_known() ? classes.find(name.value()) : classes.end();
  if (known != classes.end() && known->second) return add_class(workload, *known->second);
  const bool is_ambiguous = known != classes.end();
  if (is_ambiguous || !is_runtime_class_known(pod)) mark_scheduling_unknown(pod);
}

bool is_runtime_class_known(const PodSpec& pod) {
  const Field<std::string>& name = pod.runtime_class_name;
  return pod.has_runtime_class || name.is_absent() ||
         (name.is_known() && name.value().starts_with("nvidia"));
}

}  // namespace gpulint
