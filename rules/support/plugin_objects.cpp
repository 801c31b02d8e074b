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
    for (const std::string_view part : {"env", "args", "command"}) {
      const Node list = container.node.get(part);
      plugin.is_open = plugin.is_open || (list.is_scalar() && list.is_opaque());
    }
    for (const Node word : words_of(container)) {
      if (names_file(word)) plugin.names_file = word;
    }
  }
  return plugin;
}

/// The ConfigMap that contains the document; nothing if there is none.
[[nodiscard]] Node config_map_of(Node root) {
  const Document& document = *root.document();
  if (document.host == nullptr) return {};
  const Node object = Node(*document.host, document.host_node).parent().parent();
  return object.get("kind").text() == "ConfigMap" ? object : Node{};
}

}  // namespace

std::vector<Node> words_of(const Container& container) {
  std::vector<Node> words;
  const auto add = [&](Node word) {
    if (word.is_scalar()) words.push_back(word);
  };
  for (const Node variable : container.node.get("env").items()) {
    add(variable.get("name"));
    add(variable.get("value"));
  }
  for (const std::string_view part : {"args", "command"}) {
    for (const Node word : container.node.get(part).items()) add(word);
  }
  return words;
}

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
  for (const Node config : device_plugin_config_roots(corpus.documents)) {
    const Node object = config_map_of(config);
    if (!object) continue;
    if (std::ranges::find(found, object, &ConfigObject::object) != found.end()) continue;
    found.push_back({object, read_string(object.get("metadata"), "name")});
  }
  return found;
}

}  // namespace gpulint::rules
