#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/read.h"
#include "compiler/model/kinds/chart_values.h"
#include "compiler/model/kinds/operator_keys.h"
#include "rules/support/placement_causes.h"
#include "rules/support/plugin_objects.h"
#include "rules/support/queries.h"

namespace gpulint::rules::plugin_config_not_mounted {
namespace {

// NVIDIA/k8s-device-plugin 1b826acc6af3,
// deployments/helm/nvidia-device-plugin/templates/_helpers.tpl, `hasConfigMap`: `config.name` or
// `config.map`; NVIDIA/gpu-operator a22dbf671, controllers/ object_controls.go,
// `isCustomPluginConfigSet`: `devicePlugin.config.name`.
void check_default(Reporter& reporter, Node config, bool has_map, std::string_view owner) {
  const Field<std::string> wanted = read_string(config, "default");
  const Field<std::string> name = read_string(config, "name");
  const bool is_unnamed = name.is_absent() || name.equals("");
  if (!wanted.is_known() || wanted.value().empty() || !is_unnamed || has_map) return;
  reporter
      .report(wanted.node(), "`config.default` selects `{}`, but `config.name` is missing or empty",
              wanted.value())
      .help(
          "set `config.name` to the name of the ConfigMap. Otherwise {} runs without a "
          "configuration",
          owner)
      .severity(Severity::warning);
}

/// Reports a `config.default` that names a ConfigMap, in values of any chart.
void check_mistaken_default(const Corpus& corpus, Reporter& reporter, const Document& document) {
  for (const Node values : find_chart_values(document)) {
    const Node config = values.get("config");
    const Field<std::string> wanted = read_string(config, "default");
    if (!wanted.is_known() || config.get("name") || config.get("map")) continue;
    for (const ConfigObject& object : find_config_maps(corpus)) {
      if (!object.name.equals(wanted.value())) continue;
      reporter
          .report(wanted.node(),
                  "the ConfigMap name `{}` belongs in `config.name`, not in `config.default`",
                  wanted.value())
          .related(object.name.node(), "this is a ConfigMap, not a key of a ConfigMap")
          .help(
              "set `config.name` to `{}`, and `config.default` to the name of a key in this "
              "ConfigMap",
              wanted.value());
    }
  }
}

/// Reports a `config.default` in values of NVIDIA's charts that names a configuration of no
/// ConfigMap, or a ConfigMap itself.
void check_values(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    check_mistaken_default(corpus, reporter, *document);
  }
  for (const ChartUse& use : corpus.chart_uses) {
    if (use.has_more) continue;
    if (use.keys->name == "NVIDIA's device plugin") {
      const Node config = use.values.get("config");
      check_default(reporter, config, bool(config.get("map")), "the device plugin");
    } else if (use.keys->name == "GPU Operator") {
      const Node config = use.values.at("devicePlugin", "config");
      check_default(reporter, config, false, "the device plugin");
    }
  }
}

// NVIDIA/k8s-device-plugin 1b826acc6af3, cmd/nvidia-device-plugin/main.go: the file that
// `--config-file` or CONFIG_FILE names, and nothing else; cmd/config-manager copies one from
// CONFIG_FILE_SRCDIR.
constexpr std::string_view remedy =
    "mount the ConfigMap as a volume, and set `CONFIG_FILE` or `--config-file` to the path of the "
    "file. Otherwise the device plugin ignores the ConfigMap";
constexpr std::string_view remedy_if_mounted =
    "set `CONFIG_FILE` or `--config-file` to the path of the mounted file. Otherwise the device "
    "plugin ignores the ConfigMap";

[[nodiscard]] const Value<std::string>* find(const std::vector<Value<std::string>>& names,
                                             const std::string& name) {
  const auto found = std::ranges::find(names, name, &Value<std::string>::value);
  return found == names.end() ? nullptr : &*found;
}

/// Whether something else among the inputs names the ConfigMap: an operator, a chart's values.
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
      .report(
          where,
          "{} uses ConfigMap `{}` in `envFrom`, but the plugin reads a ConfigMap only as a file",
          describe(*plugin.workload), config.name.value())
      .related(config.name.node(), "this ConfigMap has a file with the configuration")
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
          .report(mount->node,
                  "{} mounts ConfigMap `{}`, but does not set `CONFIG_FILE` or `--config-file`",
                  describe(*plugin.workload), name)
          .related(config.name.node(), "this ConfigMap has a file with the configuration")
          .help("{}", remedy_if_mounted);
    } else if (variables != nullptr) {
      report_variables(reporter, plugin, config, variables->node);
    }
  }
  if (is_told || is_named_elsewhere(corpus, config)) return;
  reporter
      .report(config.name.node(),
              "no device plugin in the checked files mounts the configuration in ConfigMap `{}`",
              config.name.value())
      .related(plugins.front().workload->object.at("metadata", "name"),
               "this device plugin does not mount the ConfigMap")
      .help("{}", remedy)
      .severity(Severity::warning);
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_values(corpus, reporter);
  const std::vector<Plugin> plugins = find_plugins(corpus);
  if (plugins.empty() || std::ranges::any_of(plugins, &Plugin::is_open)) return;
  for (const ConfigObject& config : find_config_maps(corpus)) {
    if (config.name.is_known()) check_config(corpus, reporter, plugins, config);
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "resources", .aliases = "unread-plugin-config"}, .check = check};

}  // namespace gpulint::rules::plugin_config_not_mounted
