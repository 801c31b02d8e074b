#include "compiler/engine/rule.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/ir/node.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/kinds/chart_values.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/schedule/operands.h"
#include "rules/support/distribution.h"
#include "rules/support/queries.h"

namespace gpulint::rules::missing_runtime_class {
namespace {

/// A distribution of Kubernetes whose containerd has NVIDIA's runtime in addition to its default.
struct Platform {
  std::string_view name;
  Node evidence;  ///< The field or label of a Node that shows it.
};

/// The runtime class that GPU pods need, and its source.
struct NeededClass {
  std::string name;             ///< Empty: none is known to be needed.
  Node runtime_class;           ///< Null if gpulint.yaml declares it.
  std::string_view platform{};  ///< The platform whose nodes need it.
};

/// canonical/microk8s-core-addons#400: the addon no longer makes it the default.
constexpr std::string_view microk8s_label = "microk8s.io/cluster";

/// The GPU Operator's toolkit can make NVIDIA's runtime the default.
constexpr std::string_view toolkit_label = "nvidia.com/gpu.deploy.container-toolkit";

/// The distribution, from the version of the kubelet, the node's image or a label. The sources
/// below say where pods need the class.
[[nodiscard]] std::optional<Platform> platform_of(const NodePool& node) {
  for (const PoolLabel& label : node.labels) {
    if (label.key == toolkit_label) return std::nullopt;
  }
  for (const PoolLabel& label : node.labels) {
    if (label.key == microk8s_label) return Platform{"MicroK8s", label.node};
  }
  const Node info = node.node.at("status", "nodeInfo");
  const auto told = distribution_of(read_string(info, "kubeletVersion").value_or(""));
  // docs.k3s.io/advanced, "Alternative Container Runtime Support"; k3s-io/k3s#10034
  if (told == Distribution::k3s) return Platform{"K3s", info.get("kubeletVersion")};
  // docs.rke2.io/add-ons/gpu_operators: needed unless the GPU Operator is v25.10 or later, which
  // the label of its toolkit shows; skypilot-org/skypilot#2957
  if (told == Distribution::rke2) return Platform{"RKE2", info.get("kubeletVersion")};
  // Talos Linux 1.9, "NVIDIA GPU (OSS drivers)": making it the default is an option
  const std::string image = read_string(info, "osImage").value_or("");
  if (image.find("Talos (") != std::string::npos) return Platform{"Talos", info.get("osImage")};
  return std::nullopt;
}

/// A daemon that loads NVIDIA's libraries.
struct Daemon {
  const Workload* workload = nullptr;
  GpuDaemonRole role = GpuDaemonRole::device_plugin;
  Node place;    ///< Where to report.
  Node mapping;  ///< The parent of `runtimeClassName`.
};

[[nodiscard]] std::optional<GpuDaemonRole> role_with_libraries(const Workload& workload) {
  const auto daemon = find_gpu_daemon(workload);
  if (!daemon || daemon->vendor != "nvidia.com") return std::nullopt;
  const bool loads = daemon->role == GpuDaemonRole::device_plugin ||
                     daemon->role == GpuDaemonRole::feature_discovery ||
                     daemon->role == GpuDaemonRole::monitoring;
  return loads ? std::optional(daemon->role) : std::nullopt;
}

[[nodiscard]] std::vector<Daemon> find_library_daemons(const Corpus& corpus,
                                                       const std::deque<Workload>& operands) {
  std::vector<Daemon> found;
  for (const Workload& workload : corpus.workloads) {
    const auto role = role_with_libraries(workload);
    if (!role || workload.pod.containers.empty()) continue;
    if (uses_remote_engine(workload)) continue;
    const Node image = workload.pod.containers.front().image.node();
    found.push_back({&workload, *role, image, workload.pod.node});
  }
  for (const Workload& operand : operands) {
    const auto role = role_with_libraries(operand);
    if (!role || runtime_class_key(operand).empty()) continue;
    if (uses_remote_engine(operand)) continue;
    found.push_back({&operand, *role, operand.template_node, operand.object});
  }
  return found;
}

[[nodiscard]] std::string_view name_of_role(GpuDaemonRole role) {
  if (role == GpuDaemonRole::monitoring) return "the DCGM exporter";
  return role == GpuDaemonRole::device_plugin ? "NVIDIA's device plugin" : "GPU Feature Discovery";
}

/// The platform of all nodes, with or without GPUs: before a device plugin runs, no node shows
/// GPUs.
[[nodiscard]] std::optional<Platform> find_platform_of_all(const Cluster& cluster) {
  std::optional<Platform> found;
  for (const NodePool& pool : cluster.pools) {
    const auto platform = platform_of(pool);
    if (!platform) return std::nullopt;
    if (!found) found = platform;
  }
  return found;
}

/// A release of K3s on all nodes that creates no RuntimeClass. Later ones do
/// (NVIDIA/dcgm-exporter#291 lists them on a K3s of March 2024, k3s-io/k3s#4391 has to create one
/// on 1.24). Nothing if a node is of another kind or of a later release.
[[nodiscard]] std::optional<Platform> find_k3s_without_classes(const Cluster& cluster) {
  static constexpr std::string_view releases[] = {"v1.20.", "v1.21.", "v1.22.", "v1.23.", "v1.24."};
  std::optional<Platform> found;
  for (const NodePool& pool : cluster.pools) {
    const Node version = pool.node.at("status", "nodeInfo", "kubeletVersion");
    const std::string_view text = version.text();
    const bool is_old = distribution_of(text) == Distribution::k3s &&
                        std::ranges::any_of(releases, [&](std::string_view release) {
                          return text.starts_with(release);
                        });
    if (!is_old) return std::nullopt;
    if (!found) found = Platform{"K3s up to 1.24", version};
  }
  return found;
}

/// The platform of all GPU nodes. Nothing if one differs, or if the GPU Operator's container
/// toolkit configures the runtime.
[[nodiscard]] std::optional<Platform> find_platform(const Cluster& cluster) {
  return of_gpu_nodes(cluster, platform_of);
}

/// Reports pods that name the class `nvidia` if neither the nodes' old K3s nor an input creates it.
/// The API server rejects them.
void check_absent_class(const Corpus& corpus, Reporter& reporter) {
  const auto old = find_k3s_without_classes(corpus.cluster);
  const bool has_class = std::ranges::any_of(corpus.objects, [](const KubernetesObject& object) {
    // the GPU Operator creates it
    return object.kind.equals("RuntimeClass") || object.kind.equals("ClusterPolicy");
  });
  if (!old || has_class || !corpus.settings->runtime_class.empty()) return;
  for (const Workload& workload : corpus.workloads) {
    const Field<std::string>& name = workload.pod.runtime_class_name;
    if (!name.equals("nvidia") || workload.origin != Workload::Origin::manifest) continue;
    reporter
        .report(name.node(),
                "the inputs do not contain RuntimeClass `nvidia`, and {} does not create it",
                old->name)
        .related(old->evidence, "this node runs a K3s release that creates no RuntimeClass")
        .help(
            "apply a RuntimeClass `nvidia` with `handler: nvidia`. Otherwise the API server "
            "rejects the pods");
  }
}

/// What the node of the platform has to do with the finding.
[[nodiscard]] std::string describe_platform(std::string_view platform) {
  return fmt::format("this node runs {}, which does not use NVIDIA's runtime by default", platform);
}

/// Offers to add `runtimeClassName` to the mapping.
void offer_class(const Corpus& corpus, const NeededClass& needed, Node mapping, Finding& finding) {
  if (!mapping || mapping.document()->host != nullptr) return;  // values in a text
  finding.fix(Safety::unsafe, fmt::format("add `runtimeClassName: {}`", needed.name),
              insert_entry(*corpus.sources, mapping, "runtimeClassName", yaml_string(needed.name)));
}

/// Daemons that use NVIDIA's driver themselves (device plugin, feature discovery, DCGM exporter).
/// They need the class on a platform that needs it, and if another of them names it. If no node
/// shows GPUs, all nodes must be of the platform.
void check_daemons(const Corpus& corpus, const NeededClass& known, Reporter& reporter) {
  const std::deque<Workload> operands = find_operands(corpus);
  const std::vector<Daemon> daemons = find_library_daemons(corpus, operands);
  const auto names_class = [](const Daemon& daemon) {
    return daemon.workload->pod.runtime_class_name.is_known();
  };
  const auto sibling = std::ranges::find_if(daemons, names_class);
  NeededClass needed = known;
  if (needed.platform.empty()) {
    if (const auto platform = find_platform_of_all(corpus.cluster)) {
      needed = {known.name.empty() ? "nvidia" : known.name, platform->evidence, platform->name};
    }
  }
  if (sibling != daemons.end() && needed.platform.empty()) {
    needed.name = sibling->workload->pod.runtime_class_name.value();
  }
  if (needed.platform.empty() && sibling == daemons.end()) return;
  for (const Daemon& daemon : daemons) {
    if (!daemon.workload->pod.runtime_class_name.is_absent()) continue;
    Finding finding = reporter.report(daemon.place, "the pod of {} does not set `runtimeClassName`",
                                      name_of_role(daemon.role));
    if (needed.platform.empty()) {
      finding.related(sibling->workload->pod.runtime_class_name.node(),
                      fmt::format("{} sets this RuntimeClass", name_of_role(sibling->role)));
    } else {
      finding.related(needed.runtime_class, describe_platform(needed.platform));
    }
    finding.help(
        "set `runtimeClassName: {}` to use NVIDIA's runtime. Otherwise {} may find no GPU and {}",
        needed.name,
        daemon.role == GpuDaemonRole::device_plugin ? "the plugin" : name_of_role(daemon.role),
        daemon.role == GpuDaemonRole::device_plugin ? "advertise none"
        : daemon.role == GpuDaemonRole::monitoring  ? "crash"
                                                    : "set no labels");
    offer_class(corpus, needed, daemon.mapping, finding);
  }
}

[[nodiscard]] NeededClass find_needed_class(const Corpus& corpus) {
  if (!corpus.settings->runtime_class.empty()) return {corpus.settings->runtime_class, {}};
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.kind.equals("RuntimeClass")) continue;
    const Field<std::string> handler = read_string(object.node, "handler");
    const std::string name = object_name(object.node);
    if (handler.equals("nvidia") && !name.empty()) return {name, object.node.get("handler")};
  }
  if (const auto platform = find_platform(corpus.cluster)) {
    return {"nvidia", platform->evidence, platform->name};
  }
  return {};
}

/// The first request for an NVIDIA device in the pod's containers; null if none.
[[nodiscard]] const ResourceEntry* find_nvidia_request(const PodSpec& pod) {
  for (const Container& container : pod.containers) {
    const ResourceEntry* request = find_gpu_request(container);
    if (request != nullptr && is_nvidia_device(request->name.value) && requests_gpu(container)) {
      return request;
    }
  }
  return nullptr;
}

/// Reports a pod that requests an NVIDIA device and names no class.
void report_pod(const Corpus& corpus, const NeededClass& needed, const Workload& workload,
                Reporter& reporter) {
  const ResourceEntry* request = find_nvidia_request(workload.pod);
  if (request == nullptr || !workload.pod.runtime_class_name.is_absent()) return;
  // In values, the key shows which of the chart's pods it is.
  const bool is_of_chart = workload.origin == Workload::Origin::values;
  const Node place =
      is_of_chart && workload.pod.node.key() ? workload.pod.node.key() : request->name.node;
  Finding finding = reporter.report(
      place, "a pod requests `{}`, but does not set `runtimeClassName`", request->name.value);
  if (!needed.platform.empty()) {
    finding.related(needed.runtime_class, describe_platform(needed.platform))
        .help(
            "set `runtimeClassName: nvidia`. Otherwise {} starts the pod with the default runtime, "
            "which may not be NVIDIA's runtime",
            needed.platform);
  } else if (needed.runtime_class) {
    finding
        .related(needed.runtime_class,
                 fmt::format("the handler of RuntimeClass `{}`, which GPU pods probably need",
                             needed.name))
        .help(
            "set `runtimeClassName: {}`. Otherwise the container may start without the driver's "
            "libraries",
            needed.name);
  } else {
    finding.help(
        "set `runtimeClassName: {}`, because `cluster.runtimeClass` in gpulint.yaml declares this "
        "RuntimeClass for GPU pods",
        needed.name);
  }
  offer_class(corpus, needed, workload.pod.node, finding);
}

/// Pods of Ollama's chart, whose template is known. Any layer of values can name the class.
void check_chart_pods(const Corpus& corpus, const NeededClass& needed, Reporter& reporter) {
  const auto is_of_chart = [](const Workload& part) {
    return part.origin == Workload::Origin::values && part.pod.node;
  };
  const auto names_class = [&](const Workload& part) {
    return is_of_chart(part) && part.pod.node.get("runtimeClassName");
  };
  if (std::ranges::any_of(corpus.fragments, names_class)) return;
  for (const Workload& part : corpus.fragments) {
    if (is_of_chart(part) && is_ollama(part.pod.node)) report_pod(corpus, needed, part, reporter);
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_absent_class(corpus, reporter);
  const NeededClass needed = find_needed_class(corpus);
  check_daemons(corpus, needed, reporter);
  if (needed.name.empty()) return;
  for (const Workload& workload : corpus.workloads) {
    report_pod(corpus, needed, workload, reporter);
  }
  check_chart_pods(corpus, needed, reporter);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources",
                                          .severity = Severity::warning,
                                          .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::missing_runtime_class
