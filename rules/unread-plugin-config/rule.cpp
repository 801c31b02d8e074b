#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/ir/read.h"
#include "compiler/schedule/gpu_daemon.h"
#include "rules/support/causes.h"
#include "rules/support/device_plugin.h"
#include "rules/support/queries.h"

namespace gpulint::rules::unread_plugin_config {
namespace {

// NVIDIA/k8s-device-plugin 1b826acc6af3, cmd/nvidia-device-plugin/main.go: the file that
// `--config-file` or CONFIG_FILE names, and nothing else; cmd/config-manager copies one from
// CONFIG_FILE_SRCDIR.
constexpr std::string_view remedy =
    "the plugin reads the file that `CONFIG_FILE` or `--config-file` names: mount the ConfigMap "
    "as a volume and name its file";

struct Plugin {
  const Workload* workload = nullptr;
  Node names_file;                            ///< Where a file is named; nothing where none is.
  std::vector<Value<std::string>> mounted;    ///< ConfigMaps that are volumes.
  std::vector<Value<std::string>> variables;  ///< ConfigMaps in `envFrom`.
  bool is_open = false;                       ///< A name is filled in later.
};

void add_name(Node source, std::vector<Value<std::string>>& names, bool& is_open) {
  const Field<std::string> name = read_string(source, "name");
  if (name.is_known()) names.push_back({name.value(), name.node()});
  is_open = is_open || name.is_opaque();
}

/// Whether the scalar names the file, as a variable's name or in an argument.
[[nodiscard]] bool names_file(Node scalar) {
  const std::string_view text = scalar.text();
  return text.find("CONFIG_FILE") != text.npos || text.find("config-file") != text.npos;
}

[[nodiscard]] Plugin read_plugin(const Workload& workload) {
  Plugin plugin{.workload = &workload, .names_file = {}, .mounted = {}, .variables = {}};
  for (const Node volume : workload.pod.node.get("volumes").items()) {
    add_name(volume.get("configMap"), plugin.mounted, plugin.is_open);
    for (const Node source : volume.at("projected", "sources").items()) {
      add_name(source.get("configMap"), plugin.mounted, plugin.is_open);
    }
    plugin.is_open = plugin.is_open || volume.get("hostPath").get("path").is_opaque();
  }
  for (const Container& container : workload.pod.containers) {
    for (const Node source : container.node.get("envFrom").items()) {
      add_name(source.get("configMapRef"), plugin.variables, plugin.is_open);
    }
    for (const Node part :
         {container.node.get("env"), container.node.get("args"), container.node.get("command")}) {
      plugin.is_open = plugin.is_open || (part.is_scalar() && part.is_opaque());
      walk(part, [&](Node at) {
        if (at.is_scalar() && names_file(at)) plugin.names_file = at;
      });
    }
  }
  return plugin;
}

[[nodiscard]] std::vector<Plugin> find_plugins(const Corpus& corpus) {
  std::vector<Plugin> plugins;
  for (const Workload& workload : corpus.workloads) {
    const auto daemon = find_gpu_daemon(workload);
    const bool is_plugin =
        daemon && daemon->role == GpuDaemonRole::device_plugin && daemon->vendor == "nvidia.com";
    if (is_plugin) plugins.push_back(read_plugin(workload));
  }
  return plugins;
}

struct ConfigObject {
  Node object;
  Field<std::string> name;
};

/// The ConfigMaps that hold configurations of the plugin, each once.
[[nodiscard]] std::vector<ConfigObject> find_config_maps(const Corpus& corpus) {
  std::vector<ConfigObject> found;
  for (const Node config : device_plugin_config_roots(corpus)) {
    const Document& document = *config.document();
    if (document.host == nullptr) continue;
    const Node object = Node(*document.host, document.host_node).parent().parent();
    if (object.get("kind").text() != "ConfigMap") continue;
    if (std::ranges::find(found, object, &ConfigObject::object) != found.end()) continue;
    found.push_back({object, read_string(object.get("metadata"), "name")});
  }
  return found;
}

[[nodiscard]] const Value<std::string>* find(const std::vector<Value<std::string>>& names,
                                             const std::string& name) {
  const auto found = std::ranges::find(names, name, &Value<std::string>::value);
  return found == names.end() ? nullptr : &*found;
}

/// Whether something else among the inputs speaks of the ConfigMap: an operator, a chart's values.
[[nodiscard]] bool is_named_elsewhere(const Corpus& corpus, const ConfigObject& config) {
  const std::vector<const Document*> documents = documents_with(corpus, config.name.value());
  return std::ranges::any_of(documents, [&](const Document* document) {
    return any_below(root(*document), [&](Node at) {
      return at.is_scalar() && at.text() == config.name.value() && at != config.name.node();
    });
  });
}

void report_variables(Reporter& reporter, const Plugin& plugin, const ConfigObject& config,
                      Node where) {
  reporter
      .report(where, "{} takes ConfigMap `{}` from `envFrom`, as variables that nothing reads",
              describe(*plugin.workload), config.name.value())
      .related(config.name.node(), "the configuration")
      .help("{}", remedy);
}

void check_config(const Corpus& corpus, Reporter& reporter, const std::vector<Plugin>& plugins,
                  const ConfigObject& config) {
  bool is_told = false;
  for (const Plugin& plugin : plugins) {
    const std::string& name = config.name.value();
    const auto* const mount = find(plugin.mounted, name);
    const auto* const variables = find(plugin.variables, name);
    is_told = is_told || mount != nullptr || variables != nullptr;
    if (plugin.names_file) continue;
    if (mount != nullptr) {
      reporter
          .report(mount->node, "{} mounts ConfigMap `{}` and is not told to read it",
                  describe(*plugin.workload), name)
          .related(config.name.node(), "the configuration")
          .help("{}", remedy);
    } else if (variables != nullptr) {
      report_variables(reporter, plugin, config, variables->node);
    }
  }
  if (is_told || is_named_elsewhere(corpus, config)) return;
  reporter
      .report(config.name.node(), "no device plugin among the inputs mounts ConfigMap `{}`",
              config.name.value())
      .related(plugins.front().workload->object.at("metadata", "name"), "the device plugin")
      .help("{}", remedy)
      .severity(Severity::warning);
}

void check(const Corpus& corpus, Reporter& reporter) {
  const std::vector<Plugin> plugins = find_plugins(corpus);
  if (plugins.empty() || std::ranges::any_of(plugins, &Plugin::is_open)) return;
  for (const ConfigObject& config : find_config_maps(corpus)) {
    if (config.name.is_known()) check_config(corpus, reporter, plugins, config);
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "unread-plugin-config",
             .category = "resources",
             .summary = "NVIDIA's device plugin never reads the configuration in this ConfigMap.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules::unread_plugin_config
