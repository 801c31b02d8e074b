#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "rules/support/placement_causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::volcano_device_share {
namespace {

// volcano-sh/volcano 1.13, pkg/scheduler/plugins/deviceshare/deviceshare.go: the ends of the
// switches, after `deviceshare.`, or after `predicate.` in releases before 1.8.
constexpr std::string_view of_vgpu = ".VGPUEnable";
constexpr std::string_view of_memory = ".GPUSharingEnable";
constexpr std::string_view of_number = ".GPUNumberEnable";

/// A Volcano resource, and the switch that enables it in the scheduler.
struct Served {
  std::string_view resource;
  std::string_view by;
};
constexpr auto served = std::to_array<Served>({{"volcano.sh/vgpu-number", of_vgpu},
                                               {"volcano.sh/vgpu-memory", of_vgpu},
                                               {"volcano.sh/vgpu-cores", of_vgpu},
                                               {"volcano.sh/gpu-memory", of_memory},
                                               {"volcano.sh/gpu-number", of_number}});

/// A configuration of Volcano's scheduler.
struct Configuration {
  Node tiers;
  std::vector<Node> plugins;

  [[nodiscard]] Node find(std::string_view name) const {
    const auto found = std::ranges::find_if(
        plugins, [&](Node plugin) { return plugin.get("name").text() == name; });
    return found == plugins.end() ? Node{} : *found;
  }
  /// The enabled switch with this end; nothing if there is none.
  [[nodiscard]] Node find_switch(std::string_view end) const {
    for (const Node plugin : plugins) {
      for (const Node::Entry& entry : plugin.get("arguments").fields()) {
        if (entry.key.text().ends_with(end) && entry.value.text() == "true") return entry.value;
      }
    }
    return {};
  }
};

[[nodiscard]] std::vector<Configuration> find_configurations(const Corpus& corpus) {
  std::vector<Configuration> found;
  for (const Document* document : corpus.documents) {
    const Node tiers = root(*document).get("tiers");
    if (!document->errors.empty() || !tiers.is_sequence() || !root(*document).get("actions")) {
      continue;
    }
    if (any_below(tiers, [](Node node) { return node.is_opaque(); })) continue;
    Configuration configuration{tiers, {}};
    for (const Node tier : tiers.items()) {
      for (const Node plugin : tier.get("plugins").items()) configuration.plugins.push_back(plugin);
    }
    found.push_back(std::move(configuration));
  }
  return found;
}

void check_configuration(const Configuration& configuration, Reporter& reporter) {
  const Node vgpu = configuration.find_switch(of_vgpu);
  const Node memory = configuration.find_switch(of_memory);
  const Node number = configuration.find_switch(of_number);
  const Node first = vgpu ? vgpu : memory;
  Node second = vgpu && memory ? memory : number;
  if (first && second) {
    reporter
        .report_key(first, "Volcano's scheduler exits if `{}` and `{}` are both true",
                    first.key().text(), second.key().text())
        .related(second.key(), "this setting is also true")
        .help("set only one of the two settings to true; Volcano can share GPUs in only one way");
  }
  if (!vgpu || configuration.find("predicates")) return;
  reporter
      .report_key(vgpu,
                  "`{}` is true, but the plugin `predicates`, which allocates devices, is missing",
                  vgpu.key().text())
      .related(configuration.tiers.key(), "the plugins of Volcano's scheduler")
      .help(
          "add `- name: predicates` to the plugins of a tier; without it the kubelet rejects pods "
          "that request vGPUs (\"device request not found\")");
}

/// Reports a resource that the pod requests and this configuration does not enable.
void check_pod(const Configuration& configuration, const Workload& workload, Reporter& reporter) {
  if (!workload.pod.scheduler_name.equals("volcano")) return;
  for (const Container& container : workload.pod.containers) {
    for (const ResourceEntry& entry : container.resources.limits) {
      const auto* const known = std::ranges::find(served, entry.name.value, &Served::resource);
      if (known == served.end() || configuration.find_switch(known->by)) continue;
      Finding finding = reporter.report(
          entry.name.node, "{} requests `{}`, which Volcano's configuration does not enable",
          describe(workload), entry.name.value);
      finding.related(configuration.tiers.key(), "the plugins of Volcano's scheduler")
          .help("add the plugin `deviceshare` with `deviceshare{}: true`", known->by);
      for (const std::string_view other : {of_vgpu, of_memory, of_number}) {
        const Node enabled = configuration.find_switch(other);
        if (!enabled) continue;
        finding.help("request a resource that `{}` enables, or enable only `deviceshare{}`",
                     enabled.key().text(), known->by);
      }
      return;
    }
  }
}

/// A Volcano resource of Nodes that share devices as vGPUs; nothing if there is none, or if some
/// nodes are unknown.
[[nodiscard]] Node find_vgpus(const Corpus& corpus) {
  Node found;
  for (const NodePool& pool : corpus.cluster.pools) {
    if (pool.source != NodePool::Source::node || !pool.resources_complete) return {};
    for (const ResourceEntry& entry : pool.allocatable) {
      if (entry.name.value == "volcano.sh/gpu-memory" ||
          entry.name.value == "volcano.sh/gpu-number")
        return {};
      if (!found && entry.name.value.starts_with("volcano.sh/vgpu-")) found = entry.name.node;
    }
  }
  return found;
}

/// Reports `volcano.sh/gpu-…` if all Nodes that share devices offer `volcano.sh/vgpu-…`
/// (volcano-sh/volcano, pkg/scheduler/api/devices/nvidia/gpushare/type.go;
/// docs/user-guide/how_to_use_volcano_vgpu.md).
void check_names(const Workload& workload, Node offered, Reporter& reporter) {
  if (!workload.pod.scheduler_name.equals("volcano")) return;
  constexpr std::string_view domain = "volcano.sh/";
  for (const Container& container : workload.pod.containers) {
    for (const ResourceEntry& entry : container.resources.limits) {
      const std::string& name = entry.name.value;
      if (name != "volcano.sh/gpu-memory" && name != "volcano.sh/gpu-number") continue;
      const std::string twin = fmt::format("{}v{}", domain, name.substr(domain.size()));
      reporter
          .report(entry.name.node, "{} requests `{}`, which no node offers", describe(workload),
                  name)
          .related(offered, "this node offers vGPUs")
          .help("request `{}`; the nodes share GPUs as vGPUs", twin);
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  const std::vector<Configuration> configurations = find_configurations(corpus);
  for (const Configuration& configuration : configurations) {
    check_configuration(configuration, reporter);
  }
  const Node offered = configurations.empty() ? find_vgpus(corpus) : Node{};
  for (const Workload& workload : corpus.workloads) {
    if (configurations.size() == 1) check_pod(configurations.front(), workload, reporter);
    if (offered) check_names(workload, offered, reporter);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators"}, .check = check};

}  // namespace gpulint::rules::volcano_device_share
