#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/device_plugin/device_plugin_config.h"
#include "rules/support/device_plugin.h"
#include "rules/support/placement_causes.h"
#include "rules/support/plugin_objects.h"

namespace gpulint::rules::mps_without_daemon {
namespace {

/// Whether the name, command or variables of a container contain one of the words.
[[nodiscard]] bool says(const Workload& workload, std::string_view word,
                        std::string_view other = {}) {
  const auto holds = [&](std::string_view text) {
    return text.find(word) != text.npos || (!other.empty() && text.find(other) != text.npos);
  };
  return std::ranges::any_of(workload.pod.containers, [&](const Container& container) {
    return holds(container.name.value_or("")) ||
           std::ranges::any_of(words_of(container), [&](Node at) { return holds(at.text()); });
  });
}

/// Whether a chart or an operator installs the plugin, and with it the daemon.
[[nodiscard]] bool is_installed_by_others(const Workload& workload) {
  const Node metadata = workload.object.get("metadata");
  if (metadata.get("ownerReferences").size() > 0) return true;
  for (const Node labels :
       {metadata.get("labels"), workload.template_node.at("metadata", "labels")}) {
    if (labels.get("helm.sh/chart") || labels.get("app.kubernetes.io/managed-by")) return true;
  }
  return false;
}

[[nodiscard]] bool has_daemon(const Corpus& corpus) {
  return std::ranges::any_of(corpus.workloads, [](const Workload& workload) {
    return says(workload, "mps-control-daemon");
  });
}

/// Whether the plugin reads a file of the ConfigMap, and everything it reads is known.
[[nodiscard]] bool reads(const Plugin& plugin, const std::string& config) {
  const bool is_mounted =
      std::ranges::find(plugin.mounted, config, &Value<std::string>::value) != plugin.mounted.end();
  return plugin.names_file && !plugin.is_open && plugin.variables.empty() && is_mounted;
}

// NVIDIA/k8s-device-plugin 1b826acc6af3, cmd/nvidia-device-plugin/main.go, validateFlags; the
// chart's templates/daemonset-mps-control-daemon.yml, without which the plugin waits for a daemon.
void check_plugin(const Corpus& corpus, Reporter& reporter, const Plugin& plugin,
                  const DevicePluginConfig& config, bool has_root) {
  const bool lacks_root = !has_root && !says(*plugin.workload, "MPS_ROOT", "mps-root");
  const bool lacks_daemon = !has_daemon(corpus) && !is_installed_by_others(*plugin.workload);
  if (!lacks_root && !lacks_daemon) return;
  const Node key = config.sharing_node.key();
  Finding finding = reporter.report(
      key ? key : config.sharing_node, "{} shares GPUs through MPS, but {}",
      describe(*plugin.workload),
      lacks_root ? "sets no MPS root directory" : "no checked file has an MPS control daemon");
  finding.related(plugin.names_file, "the plugin reads the MPS settings from this file");
  if (lacks_root) {
    finding.help(
        "set `MPS_ROOT` and run the MPS control daemon, as the plugin's chart does. Otherwise the "
        "plugin does not start, with the error `using MPS requires --mps-root to be specified`");
    return;
  }
  finding
      .help(
          "install the plugin with its chart, or add the chart's DaemonSet `mps-control-daemon`. "
          "Otherwise the plugin waits for the daemon and advertises no GPUs")
      .severity(Severity::warning);
}

void check(const Corpus& corpus, Reporter& reporter) {
  const std::vector<Plugin> plugins = find_plugins(corpus);
  for (const Node root : device_plugin_config_roots(corpus.documents)) {
    const Field<std::string> name = config_map_name(root);
    const DevicePluginConfig config = read_device_plugin_config(root);
    const bool is_checked = name.is_known() && config.accepted() && !config.opaque &&
                            config.sharing == DevicePluginConfig::Sharing::mps;
    if (!is_checked) continue;
    DevicePluginFlags none;
    none.mps_root.reset();
    const bool has_root = read_device_plugin_config(root, none).accepted();
    for (const Plugin& plugin : plugins) {
      if (reads(plugin, name.value())) check_plugin(corpus, reporter, plugin, config, has_root);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources"}, .check = check};

}  // namespace gpulint::rules::mps_without_daemon
