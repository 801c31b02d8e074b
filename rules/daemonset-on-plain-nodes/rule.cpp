#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <re2/re2.h>

#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/pools/pool_facts.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::daemonset_on_plain_nodes {
namespace {

/// Whether the device plugin is configured to wait without a GPU (k8s-device-plugin 1b826acc,
/// README: `failOnInitError`; the static manifests set it), or always waits (before v0.7.0).
[[nodiscard]] bool waits_without_device(const Workload& workload) {
  static const RE2 always(R"(.*:(?:1\.0\.0-beta.*|v?0\.[1-6]\..*))");
  for (const Container& container : workload.pod.containers) {
    const Field<std::string>& image = container.image;
    if (!image.is_known() || RE2::FullMatch(image.value(), always)) return true;
    for (const Node entry : container.node.get("env").items()) {
      if (entry.get("name").text() == "FAIL_ON_INIT_ERROR") return true;
    }
    for (const std::string_view list : {"command", "args"}) {
      for (const Node word : container.node.get(list).items()) {
        if (word.text().find("fail-on-init-error") != std::string_view::npos ||
            word.text().find("config-file") != std::string_view::npos || word.is_opaque()) {
          return true;
        }
      }
    }
  }
  return false;
}

/// The vendor of the device that the DaemonSet's pods need (`nvidia.com`). Empty if they wait for a
/// device, and for other DaemonSets.
[[nodiscard]] std::string_view device_that_it_needs(const Workload& workload) {
  const auto daemon = find_gpu_daemon(workload);
  if (!daemon || uses_remote_engine(workload)) return {};
  const bool is_operand = workload.origin == Workload::Origin::values;
  const bool is_plugin = daemon->role == GpuDaemonRole::device_plugin && !is_operand;
  if (daemon->vendor == "nvidia.com") {
    // The chart of the device plugin selects nodes by itself.
    const bool fails =
        daemon->role == GpuDaemonRole::monitoring || (is_plugin && !waits_without_device(workload));
    return fails ? daemon->vendor : std::string_view{};
  }
  return is_plugin && daemon->vendor == "aws.amazon.com" ? daemon->vendor : std::string_view{};
}

/// The vendor of a pool's devices, else of its machine types' devices; empty if unknown.
[[nodiscard]] std::string_view vendor_of(const NodePool& pool) {
  const std::string_view told = accelerator_vendor(pool);
  const auto machines = machines_of(pool);
  if (!told.empty() || !machines) return told;
  for (const Machine* machine : *machines) {
    for (const MachineAccelerator& accelerator : machine->accelerators) {
      return accelerator.resource.substr(0, accelerator.resource.find('/'));
    }
  }
  return {};
}

/// A DaemonSet that selects nodes is not checked.
[[nodiscard]] bool selects_nodes(const PodSpec& pod) {
  return !pod.node_selector.empty() || pod.node_selector_opaque || pod.affinity_opaque ||
         pod.node_affinity.has_required;
}

/// Nodes without such a device where the pod certainly runs; empty if no node is known to have one.
[[nodiscard]] std::vector<const NodePool*> plain_nodes_of(const KnownNodes& nodes,
                                                          const PreparedPod& pod,
                                                          std::string_view vendor) {
  std::vector<const NodePool*> plain;
  bool is_device_known = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool takes_it = nodes.fits(pod, i) == Ternary::yes;
    for (const NodePool* const pool : nodes.members(i)) {
      const Ternary has_device = has_accelerators(*pool);
      const std::string_view own = vendor_of(*pool);
      const bool is_its = has_device == Ternary::yes && own == vendor;
      const bool is_other = has_device == Ternary::yes && !own.empty() && !is_its;
      is_device_known = is_device_known || is_its;
      if (takes_it && (is_other || has_device == Ternary::no)) plain.push_back(pool);
    }
  }
  return is_device_known ? plain : std::vector<const NodePool*>{};
}

[[nodiscard]] std::string_view name_of(std::string_view vendor) {
  return vendor == "nvidia.com" ? "NVIDIA GPU" : "Neuron device";
}

constexpr std::string_view present_label = "nvidia.com/gpu.present";

constexpr std::string_view operand_mark = ": ";  // in the role of an operand: describe.cpp

/// The DaemonSet without the chart or object that creates it, which the help names.
[[nodiscard]] std::string describe_daemon(const Workload& workload) {
  const bool is_operand = workload.role.find(operand_mark) != std::string::npos;
  return is_operand ? fmt::format("DaemonSet `{}`", workload.name) : describe(workload);
}

/// the pod, the pod of the DCGM exporter chart
[[nodiscard]] std::string describe_pod(const Workload& workload) {
  const std::size_t end = workload.role.find(operand_mark);
  if (end == std::string::npos) return "the pod";
  const std::string owner = workload.role.substr(0, end);
  return workload.origin == Workload::Origin::values ? fmt::format("the pod of the {} chart", owner)
                                                     : fmt::format("the pod of {}", owner);
}

/// Whether some node has the label.
[[nodiscard]] bool carries(const KnownNodes& nodes, std::string_view key) {
  return std::ranges::any_of(nodes.placement().cluster().pools, [&](const NodePool& pool) {
    return find_label(pool, key) != nullptr;
  });
}

void report(const Workload& workload, std::string_view vendor, const KnownNodes& nodes,
            const std::vector<const NodePool*>& plain, Reporter& reporter) {
  const bool is_operand = workload.origin == Workload::Origin::values;
  // The values of a chart may be anywhere in the document.
  const Node values = workload.object.key() ? workload.object.key() : workload.template_node;
  const Node place = is_operand ? values : workload.pod.node;
  const std::string where = describe(*plain.front());
  const auto explain = [&](auto&& finding) {
    finding.related(name_node(*plain.front()), fmt::format("{} has no {}", where, name_of(vendor)))
        .help(
            "set a `nodeSelector` or affinity for the nodes with {}s, for example with {}. "
            "Otherwise {} exits on {}",
            name_of(vendor),
            vendor != "nvidia.com"          ? "the label `node.kubernetes.io/instance-type`"
            : carries(nodes, present_label) ? "the label `nvidia.com/gpu.present`"
                                            : "a label of your own",
            describe_pod(workload), where);
  };
  const std::string what =
      fmt::format("{} needs {} {}, but also runs on {}", describe_daemon(workload),
                  vendor == "nvidia.com" ? "an" : "a", name_of(vendor), where);
  if (is_operand) {
    explain(reporter.report(place, "{}", what));
  } else {
    explain(reporter.report_key(place, "{}", what));
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  if (corpus.placement == nullptr || !corpus.placement->nodes) return;
  const KnownNodes& nodes = *corpus.placement->nodes;
  const Placement& placement = nodes.placement();
  for (std::size_t i = 0; i < placement.workloads().size(); ++i) {
    const Workload& workload = *placement.workloads()[i];
    const std::string_view vendor = device_that_it_needs(workload);
    if (vendor.empty()) continue;
    const bool is_operand = workload.origin == Workload::Origin::values;
    if (selects_nodes(workload.pod) || (!is_operand && !is_placement_known(workload))) continue;
    const auto plain = plain_nodes_of(nodes, placement.pod(i), vendor);
    if (!plain.empty()) report(workload, vendor, nodes, plain, reporter);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::daemonset_on_plain_nodes
