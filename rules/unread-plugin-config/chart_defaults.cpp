#include "rules/unread-plugin-config/chart_defaults.h"

#include <string>
#include <string_view>

#include "compiler/ir/read.h"
#include "compiler/model/chart_values.h"
#include "compiler/model/operator_keys.h"
#include "rules/support/plugin_objects.h"

namespace gpulint::rules::unread_plugin_config {
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
      .report(wanted.node(),
              "`config.default` names `{}`, and nothing names a ConfigMap that may hold it",
              wanted.value())
      .help("{} then runs without any: name the ConfigMap in `config.name`", owner)
      .severity(Severity::warning);
}

/// The name of a ConfigMap where that of one of its configurations is due, in values of any chart.
void check_mistaken_default(const Corpus& corpus, Reporter& reporter, const Document& document) {
  for (const Node values : find_chart_values(document)) {
    const Node config = values.get("config");
    const Field<std::string> wanted = read_string(config, "default");
    if (!wanted.is_known() || config.get("name") || config.get("map")) continue;
    for (const ConfigObject& object : find_config_maps(corpus)) {
      if (!object.name.equals(wanted.value())) continue;
      reporter
          .report(wanted.node(),
                  "`config.default` names ConfigMap `{}`, which is for `config.name`",
                  wanted.value())
          .related(object.name.node(), "the ConfigMap")
          .help("the device plugin then runs without any: `default` is one of its configurations");
    }
  }
}

}  // namespace

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

}  // namespace gpulint::rules::unread_plugin_config
