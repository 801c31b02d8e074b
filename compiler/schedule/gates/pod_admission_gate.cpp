#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/terraform.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/gpu_relation.h"

namespace gpulint {
namespace {

[[nodiscard]] bool refuses(std::string_view level) {
  return level == "baseline" || level == "restricted";
}

/// Talos enforces `baseline` in a namespace without the label ("Pod Security", Talos 1.11), unless
/// its machine configuration sets another level.
[[nodiscard]] Node find_talos_node(const ScopeModel& model) {
  for (const NodePool& pool : model.cluster.pools) {
    const Node image = pool.node.at("status", "nodeInfo", "osImage");
    if (image.text().starts_with("Talos (")) return image;
  }
  return {};
}

/// The level of namespaces without the label: from the `PodSecurityConfiguration` of an
/// AdmissionConfiguration or of Talos' machine configuration, else Talos' default if nodes run it.
[[nodiscard]] std::optional<EnforcedLevel> find_default_level(const ScopeModel& model,
                                                              const std::string& name) {
  Node found;
  for (const Document* const document : model.documents) {
    const bool is_readable = document->errors.empty();
    const std::string_view text = model.sources->file(document->file).text(document->span);
    if (!is_readable || text.find("PodSecurityConfiguration") == std::string_view::npos) continue;
    walk(root(*document), [&](Node at) {
      if (at.is_mapping() && at.get("kind").text() == "PodSecurityConfiguration") found = at;
    });
  }
  if (!found) {
    const Node talos = find_talos_node(model);
    const bool is_exempt = name == "kube-system";
    return talos && !is_exempt ? std::optional(EnforcedLevel{"baseline", talos}) : std::nullopt;
  }
  for (const Node exempt : found.at("exemptions", "namespaces").items()) {
    if (exempt.text() == name) return std::nullopt;
  }
  const Node level = found.at("defaults", "enforce");
  return refuses(level.text()) ? std::optional(EnforcedLevel{std::string(level.text()), level})
                               : std::nullopt;
}

/// A field that `baseline` and `restricted` forbid, and its place.
struct Violation {
  std::string_view what;
  Node where;
};

// Pod Security Standards (Kubernetes 1.37), Baseline: privileged containers, host path volumes,
// host namespaces. Not what only `restricted` forbids: much of it has exceptions.
[[nodiscard]] std::optional<Violation> find_violation(const PodSpec& pod) {
  for (const Container& container : pod.containers) {
    if (container.privileged.equals(true)) {
      return Violation{"a privileged container", container.privileged.node()};
    }
  }
  for (const auto& [field, what] :
       {std::pair{"hostNetwork", "`hostNetwork: true`"}, std::pair{"hostPID", "`hostPID: true`"},
        std::pair{"hostIPC", "`hostIPC: true`"}}) {
    const Node value = pod.node.get(field);
    if (value.is_scalar() && value.text() == "true") return Violation{what, value};
  }
  for (const Volume& volume : pod.volumes) {
    if (volume.host_path.is_known()) return Violation{"a host path", volume.node.get("hostPath")};
  }
  return std::nullopt;
}

[[nodiscard]] Node enabling_field(Node object, std::string_view name) {
  return read_bool(object, name).equals(true) ? object.get(name) : Node{};
}

/// `enable_autopilot` of a `google_container_cluster`.
[[nodiscard]] Node enabled_by_terraform(Node plan) {
  Node found;
  walk(plan, [&](Node at) {
    if (found || !at.key() || at.key().text() != "enable_autopilot") return;
    found = enabling_field(at.parent(), "enable_autopilot");
  });
  return found;
}

/// Nodes of Autopilot are named `gk3-…`, nodes of Standard clusters `gke-…`. A cluster with both
/// may be a Standard cluster with Autopilot's compute classes.
[[nodiscard]] Node node_of_autopilot(const Cluster& cluster) {
  const bool are_all =
      !cluster.pools.empty() && std::ranges::all_of(cluster.pools, [](const NodePool& pool) {
        return pool.name.starts_with("gk3-");
      });
  return are_all ? cluster.pools.front().node.at("metadata", "name") : Node{};
}

constexpr std::string_view autopilot_gpu = "nvidia.com/gpu";

/// What shows the cluster's mode: the name of a Node, or a field of the cluster.
[[nodiscard]] std::string autopilot_evidence(Node evidence) {
  return evidence.text().starts_with("gk3-")
             ? "this name starts with `gk3-`, so the cluster uses GKE Autopilot"
             : "the cluster uses GKE Autopilot";
}

/// Whether the pod's nodeSelector or required affinity may contain the label.
[[nodiscard]] bool may_select(const PodSpec& pod, std::string_view key) {
  if (pod.node_selector_opaque || pod.affinity_opaque) return true;
  const auto is_key = [&](const LabelEntry& entry) { return entry.key.value == key; };
  return std::ranges::any_of(pod.node_selector, is_key) ||
         std::ranges::any_of(pod.node_affinity.required, [&](const SelectorTerm& term) {
           return std::ranges::any_of(term.expressions, [&](const SelectorRequirement& one) {
             return one.key.is_opaque() || one.key.value_or("") == key;
           });
         });
}

/// The first request for an NVIDIA GPU in init or in other containers; null if there is none.
[[nodiscard]] const ResourceEntry* find_request(const PodSpec& pod, bool is_init) {
  for (const Container& container : pod.containers) {
    if ((container.kind == ContainerKind::init) != is_init) continue;
    for (const auto* entries : {&container.resources.limits, &container.resources.requests}) {
      const auto request = std::ranges::find_if(*entries, [](const ResourceEntry& entry) {
        return entry.name.value == autopilot_gpu && entry.amount.is_known() &&
               !entry.amount.value().is_zero();
      });
      if (request != entries->end()) return &*request;
    }
  }
  return nullptr;
}

/// GoogleCloudPlatform/ai-on-gke#983, substratusai/helm#8: autogke-gpu-limitation.
void check_autopilot_selector(const Workload& workload, Node autopilot, Obstacles& obstacles) {
  const ResourceEntry* const request = find_request(workload.pod, false);
  if (request == nullptr || may_select(workload.pod, "cloud.google.com/gke-accelerator") ||
      may_select(workload.pod, "cloud.google.com/compute-class")) {
    return;
  }
  obstacles
      .add(request->name.node,
           "GKE Autopilot rejects {}, because the pod requests a GPU without a GPU model",
           describe(workload))
      .related(autopilot, autopilot_evidence(autopilot))
      .help(
          "select a GPU model in `nodeSelector` with `cloud.google.com/gke-accelerator`. Or select "
          "a compute class with `cloud.google.com/compute-class`");
}

/// The same: autogke-node-affinity-selector-limitation.
void check_autopilot_pool(const Workload& workload, Node autopilot, Obstacles& obstacles) {
  for (const LabelEntry& entry : workload.pod.node_selector) {
    if (entry.key.value != "cloud.google.com/gke-nodepool" || !entry.key.node) continue;
    obstacles
        .add(entry.key.node,
             "GKE Autopilot rejects {}, because the pod selects a node pool by name",
             describe(workload))
        .related(autopilot, autopilot_evidence(autopilot))
        .help(
            "remove `{}`, and select nodes by other labels. Autopilot creates the node pools "
            "itself",
            entry.key.value);
  }
}

/// GoogleCloudPlatform/k8s-stackdriver#1079: autogke-gpu-limitation.
void check_autopilot_toleration(const Workload& workload, Node autopilot, Obstacles& obstacles) {
  if (requests_gpu(workload.pod)) return;
  for (const Toleration& toleration : workload.pod.tolerations) {
    if (!toleration.key.equals(std::string(autopilot_gpu)) || !toleration.key.node()) continue;
    if (!toleration.op.equals("Exists")) continue;
    obstacles
        .add(toleration.key.node(),
             "GKE Autopilot rejects {}, because the pod tolerates `{}` without a GPU request",
             describe(workload), autopilot_gpu)
        .related(autopilot, autopilot_evidence(autopilot))
        .help("remove the toleration. Autopilot adds this toleration to pods that request GPUs");
  }
}

/// ray-project/kuberay#1349.
void check_autopilot_init(const Workload& workload, Node autopilot, Obstacles& obstacles) {
  const ResourceEntry* const request = find_request(workload.pod, true);
  if (request == nullptr) return;
  obstacles
      .add(request->name.node, "GKE Autopilot rejects {}, because an init container requests a GPU",
           describe(workload))
      .related(autopilot, autopilot_evidence(autopilot))
      .help("move the GPU request to a main container")
      .assume();
}

/// The input that shows a GKE Autopilot cluster; null if there is none.
[[nodiscard]] Node find_autopilot(const ScopeModel& model) {
  using Source = NodePool::Source;
  const bool has_pools = std::ranges::any_of(model.cluster.pools, [](const NodePool& pool) {
    return pool.source != Source::node &&
           !read_bool(pool.node.get("spec"), "enableAutopilot").equals(true);
  });
  if (has_pools) return {};
  for (const KubernetesObject& object : model.objects) {
    if (object.kind.equals("ContainerCluster")) {
      const Node field = enabling_field(object.node.get("spec"), "enableAutopilot");
      if (field) return field;
    }
  }
  if (const Node node = node_of_autopilot(model.cluster)) return node;
  for (const Document* document : model.documents) {
    const Node plan = root(*document);
    if (!document->errors.empty() || !is_terraform(plan)) continue;
    if (const Node field = enabled_by_terraform(plan)) return field;
  }
  return {};
}

}  // namespace

std::optional<EnforcedLevel> find_enforced_level(const ScopeModel& model, const std::string& name) {
  Node space;
  for (const KubernetesObject& object : model.objects) {
    if (!object.kind.equals("Namespace") || object_name(object.node) != name) continue;
    if (space) return std::nullopt;  // unknown which one applies
    space = object.node;
  }
  if (!space) return std::nullopt;
  const Node labels = space.at("metadata", "labels");
  const Node level = labels.get("pod-security.kubernetes.io/enforce");
  if (labels.is_opaque()) return std::nullopt;
  if (!level) return find_default_level(model, name);
  return refuses(level.text()) ? std::optional(EnforcedLevel{std::string(level.text()), level})
                               : std::nullopt;
}

std::string describe(const EnforcedLevel& level) {
  const bool is_talos = level.where.text().starts_with("Talos (");
  return is_talos ? fmt::format("this node runs Talos, which enforces `{}` by default", level.level)
                  : "this sets the Pod Security level";
}

FindObstacles make_pod_security_gate(const ScopeModel& model) {
  return [&model](const Workload& workload) {
    Obstacles found(Gate::admission);
    const Node space = workload.object.at("metadata", "namespace");
    const bool is_given = workload.origin == Workload::Origin::manifest && space;
    const std::optional<Violation> violation =
        is_given && !space.is_opaque() ? find_violation(workload.pod) : std::nullopt;
    const auto level = violation ? find_enforced_level(model, workload.name_space) : std::nullopt;
    if (!level) return std::move(found).take();
    found
        .add_at_key(violation->where,
                    "{} uses {}, but namespace `{}` enforces Pod Security level `{}`",
                    describe(workload), violation->what, workload.name_space, level->level)
        .related(level->where, describe(*level))
        .help(
            "use a namespace with the label `pod-security.kubernetes.io/enforce: privileged`. "
            "Otherwise the API server rejects the pod, because only `privileged` allows {}",
            violation->what);
    return std::move(found).take();
  };
}

FindObstacles make_autopilot_gate(const ScopeModel& model) {
  const Node autopilot = find_autopilot(model);
  if (!autopilot) return no_obstacles;
  return [autopilot](const Workload& workload) {
    Obstacles found(Gate::admission);
    const bool is_given =
        workload.origin == Workload::Origin::manifest && !workload.pod.containers.empty();
    if (!is_given) return std::move(found).take();
    check_autopilot_selector(workload, autopilot, found);
    check_autopilot_pool(workload, autopilot, found);
    check_autopilot_toleration(workload, autopilot, found);
    check_autopilot_init(workload, autopilot, found);
    return std::move(found).take();
  };
}

}  // namespace gpulint
