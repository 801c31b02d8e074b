#include "compiler/model/kinds/resource_parts.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/kinds/chart_values.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/kinds/operator_pods.h"
#include "compiler/model/kinds/pod_templates.h"
#include "compiler/model/unknown_pod.h"

namespace gpulint {
namespace {

/// Groups, or their suffixes, whose objects create no pods from such fields: they select nodes or
/// pools, match or change other objects, or contain values that are read elsewhere.
constexpr auto other_groups = std::to_array<std::string_view>(
    {"argoproj.io", "cnrm.cloud.google.com", "crossplane.io", "fluxcd.io", "gatekeeper.sh",
     "helm.cattle.io", "karpenter.sh", "karpenter.k8s.aws", "kueue.x-k8s.io",
     "kustomize.config.k8s.io", "kyverno.io", "machineconfiguration.openshift.io",
     "nfd.k8s-sigs.io", "openshift.io", "services.k8s.aws", "tuned.openshift.io", "upbound.io",
     "cluster.x-k8s.io"});

/// Whether operators may read the object: its group is not one of Kubernetes'.
[[nodiscard]] bool is_custom(const KubernetesObject& object) {
  const std::string version = object.api_version.value_or("");
  const std::string_view group = api_group(version);
  if (group.find('.') == group.npos) return false;
  // the API server's own groups end like this; community operators use x-k8s.io and k8s-sigs.io
  if (group.ends_with(".k8s.io") && group.find(".x-k8s.io") == group.npos &&
      group != "sparkoperator.k8s.io") {
    return false;
  }
  return std::ranges::none_of(other_groups,
                              [&](std::string_view other) { return group.ends_with(other); });
}

/// Finds the parts of pods in one object.
class PartFinder {
 public:
  explicit PartFinder(const KubernetesObject& object) : object_(object) {}

  [[nodiscard]] std::vector<Workload> find() {
    search(object_.node.get("spec"), {});
    return std::move(found_);
  }

 private:
  void search(Node at, const std::string& path) {
    if (at.is_mapping()) {
      const bool is_other_object = at.get("apiVersion") && at.get("kind");
      if (is_other_object || at.get("containers").is_sequence()) return;
      if (says_of_pod(at)) add(at, path);
      for (const Node::Entry& entry : at.entries()) {
        const std::string_view key = entry.key.text();
        if (is_listed(parts_of_pod, key)) continue;
        search(entry.value, path.empty() ? std::string(key) : fmt::format("{}.{}", path, key));
      }
    } else if (at.is_sequence()) {
      std::size_t index = 0;
      for (const Node child : at.children()) search(child, fmt::format("{}[{}]", path, index++));
    }
  }

  void add(Node at, const std::string& path) {
    Workload workload = begin_workload(object_, at);
    workload.origin = Workload::Origin::values;
    workload.role = path;
    workload.pod = read_pod_part(at);
    mark_missing_unknown(workload.pod);
    found_.push_back(std::move(workload));
  }

  static constexpr std::array<std::string_view, 6> parts_of_pod{
      "tolerations", "nodeSelector", "affinity", "resources", "env", "metadata"};

  const KubernetesObject& object_;
  std::vector<Workload> found_;
};

}  // namespace

std::vector<Workload> find_resource_parts(std::span<const KubernetesObject> objects,
                                          const DeclaredKinds* declared) {
  std::vector<Workload> parts;
  for (const KubernetesObject& object : objects) {
    if (!object.kind.is_known() || !is_custom(object)) continue;
    if (find_operator_keys(object) != nullptr ||
        !read_operator_pods(object, facts_of(object, declared)).empty())
      continue;
    std::ranges::move(PartFinder(object).find(), std::back_inserter(parts));
  }
  return parts;
}

}  // namespace gpulint
