#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/model/declared_kinds.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/placement_analysis.h"
#include "rules/support/placement_causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::gpu_image_without_request {
namespace {

/// Images with NVIDIA's or AMD's libraries: `nvidia/cuda`, `…:2.4-cuda12`, `rocm/pytorch`.
[[nodiscard]] bool is_gpu_image(std::string_view image) {
  const std::string folded = to_lower(image);
  return folded.find("cuda") != folded.npos || folded.find("/rocm") != folded.npos ||
         folded.starts_with("rocm/") || folded.ends_with("-gpu");
}

[[nodiscard]] bool runs_nvidia_smi(const Container& container) {
  bool found = false;
  for (const std::string_view key : {"command", "args"}) {
    for (const Node item : container.node.get(key).items()) {
      found = found || (item.is_scalar() && item.text().find("nvidia-smi") != std::string::npos);
    }
  }
  return found;
}

/// Whether a container with a known image has NVIDIA's or AMD's libraries (`nvidia/cuda`,
/// `…:2.4-cuda12`, `rocm/pytorch`) or calls `nvidia-smi`.
[[nodiscard]] bool is_made_for_gpus(const Container& container) {
  return is_gpu_image(container.image.value()) || runs_nvidia_smi(container);
}

/// Whether something other than a GPU request decides which devices the container sees.
[[nodiscard]] bool is_served_otherwise(const Container& container) {
  static constexpr std::array<std::string_view, 3> variables = {
      "NVIDIA_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"};
  const auto is_extended = [](const ResourceEntry& entry) {
    return entry.name.value.find('/') != std::string::npos;
  };
  return container.resources.opaque || container.privileged.value_or(false) ||
         std::ranges::any_of(container.resources.limits, is_extended) ||
         std::ranges::any_of(container.resources.requests, is_extended) ||
         std::ranges::any_of(container.env, [](const EnvVar& variable) {
           return variable.name.is_known() && is_listed(variables, variable.name.value());
         });
}

/// Whether the workload may use a GPU without a request to the scheduler, or is not fully known.
[[nodiscard]] bool is_open(const Workload& workload) {
  const PodSpec& pod = workload.pod;
  return is_node_agent(workload) || requests_gpu(pod) || !pod.resource_claims.empty() ||
         !pod.scheduler_name.value_or("default-scheduler").starts_with("default-scheduler") ||
         pod.scheduler_name.is_opaque() || pod.node_selector_opaque || pod.affinity_opaque ||
         !is_placement_known(workload) || workload.template_node.at("metadata", "annotations") ||
         std::ranges::any_of(pod.containers, is_served_otherwise) ||
         std::ranges::any_of(pod.volumes,
                             [](const Volume& volume) { return !volume.host_path.is_absent(); });
}

/// Whether the pod selects nodes by labels that not every node has.
[[nodiscard]] bool selects_nodes(const PodSpec& pod) {
  return !pod.node_affinity.required.empty() ||
         std::ranges::any_of(pod.node_selector, [](const LabelEntry& entry) {
           return !entry.key.value.starts_with("kubernetes.io/");
         });
}

/// A GPU node that matches the pod's labels; null if other nodes also match.
[[nodiscard]] const NodePool* find_gpu_node(const KnownNodes& nodes, const PreparedPod& pod) {
  const NodePool* found = nullptr;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Assessment assessment = nodes.assess(pod, i);
    const bool is_left_out = std::ranges::any_of(assessment.reasons, [](const Reason& reason) {
      return reason.holds == Ternary::yes &&
             (reason.kind == ReasonKind::node_selector || reason.kind == ReasonKind::node_affinity);
    });
    if (is_left_out) continue;
    if (nodes.has_accelerators(i) != Ternary::yes) return nullptr;
    if (found == nullptr) found = &nodes.pool(i);
  }
  return found;
}

/// The key of a GPU label that the pod selects; null if it selects none.
[[nodiscard]] Node find_gpu_label(const PodSpec& pod) {
  for (const LabelEntry& entry : pod.node_selector) {
    if (is_gpu_label(entry.key.value)) return entry.key.node;
  }
  for (const SelectorTerm& term : pod.node_affinity.required) {
    for (const SelectorRequirement& requirement : term.expressions) {
      const bool attracts = requirement.op.equals("In") || requirement.op.equals("Exists");
      if (attracts && is_gpu_label(requirement.key.value_or(""))) return requirement.key.node();
    }
  }
  return {};
}

/// Reports a pod without a GPU image that selects GPU nodes by a GPU label.
void report_selection(const Workload& workload, Node label, const NodePool& node,
                      Reporter& reporter) {
  reporter
      .report(label, "{} selects GPU nodes by `{}`, but requests no `nvidia.com/gpu`",
              describe(workload), label.text())
      .severity(Severity::info)
      .related(name_node(node), fmt::format("the pod selects {}, which has GPUs", describe(node)))
      .help("set a limit for `nvidia.com/gpu`, or select nodes without GPUs");
}

void check_pod(const KnownNodes& nodes, std::size_t index, Reporter& reporter) {
  const Workload& workload = *nodes.placement().workloads()[index];
  if (!facts_of(workload).traits.core) return;
  if (is_open(workload) || !selects_nodes(workload.pod)) return;
  const auto container = std::ranges::find_if(workload.pod.containers, [](const Container& one) {
    return one.kind == ContainerKind::main && one.image.is_known() && is_made_for_gpus(one);
  });
  const bool is_made_for = container != workload.pod.containers.end();
  const Node label = is_made_for ? Node{} : find_gpu_label(workload.pod);
  if (!is_made_for && !label) return;
  const NodePool* const node = find_gpu_node(nodes, nodes.placement().pod(index));
  if (node == nullptr) return;
  if (!is_made_for) return report_selection(workload, label, *node, reporter);
  Finding finding = reporter.report(
      container->image.node(), "{} {} on GPU nodes, but requests no `nvidia.com/gpu`",
      describe(workload),
      is_gpu_image(container->image.value()) ? "runs a GPU image" : "calls `nvidia-smi`");
  finding
      .related(name_node(*node), fmt::format("the pod selects {}, which has GPUs", describe(*node)))
      .help(
          "set a limit for `nvidia.com/gpu` in {}. Otherwise the container sees no GPU, or sees "
          "all GPUs of the node",
          container->name.is_known() ? describe(*container) : std::string("the container"));
}

void check(const Corpus& corpus, Reporter& reporter) {
  if (corpus.placement == nullptr || !corpus.placement->nodes) return;
  const KnownNodes& nodes = *corpus.placement->nodes;
  for (std::size_t i = 0; i < nodes.placement().workloads().size(); ++i) {
    check_pod(nodes, i, reporter);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::gpu_image_without_request
