#include "rules/support/plugin_objects.h"

#include <algorithm>
#include <string_view>

#include "compiler/ir/read.h"
#include "compiler/schedule/gpu_daemon.h"
#include "rules/support/device_plugin.h"

namespace gpulint::rules {
namespace {

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

/// The ConfigMap that holds the document; nothing where none does.
[[nodiscard]] Node config_map_of(Node root) {
  const Document& document = *root.document();
  if (document.host == nullptr) return {};
  const Node object = Node(*document.host, document.host_node).parent().parent();
  return object.get("kind").text() == "ConfigMap" ? object : Node{};
}

}  // namespace

Field<std::string> config_map_name(Node root) {
  return read_string(config_map_of(root).get("metadata"), "name");
}

std::vector<Plugin> find_plugins(const Corpus& corpus) {
  std::vector<Plugin> plugins;
  for (const Workload& workload : corpus.workloads) {
    const auto daemon = find_gpu_daemon(workload);
    const bool is_plugin =
        daemon && daemon->role == GpuDaemonRole::device_plugin && daemon->vendor == "nvidia.com";
    if (is_plugin) plugins.push_back(read_plugin(workload));
  }
  return plugins;
}

std::vector<ConfigObject> find_config_maps(const Corpus& corpus) {
  std::vector<ConfigObject> found;
  for (const Node config : device_plugin_config_roots(corpus)) {
    const Node object = config_map_of(config);
    if (!object) continue;
    if (std::ranges::find(found, object, &ConfigObject::object) != found.end()) continue;
    found.push_back({object, read_string(object.get("metadata"), "name")});
  }
  return found;
}

}  // namespace gpulint::rules
