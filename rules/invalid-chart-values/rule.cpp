#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "compiler/edit/edits.h"
#include "compiler/model/kinds/operator_keys.h"

namespace gpulint::rules::invalid_chart_values {
namespace {

constexpr std::string_view dra_driver = "NVIDIA's DRA driver";
constexpr std::string_view device_plugin = "NVIDIA's device plugin";

constexpr std::string_view otherwise = "Otherwise Helm installs nothing";

/// A key that the chart rejects with any value.
struct Forbidden {
  std::string_view chart;
  std::string_view key;
  std::string_view remedy;
};
// The charts' templates/validation.yaml (validation.yml), of the commits that
// facts/operator-keys.json names.
constexpr Forbidden forbidden[] = {
    {dra_driver, "namespace", "remove the key, and use Helm's option `--namespace`"},
    {dra_driver, "nvidiaCtkPath",
     "remove the key, because the driver uses its own `nvidia-cdi-hook` instead of `nvidia-ctk`"},
    {device_plugin, "namespace", "remove the key, and use Helm's option `--namespace`"}};

/// As Helm's `if` reads it.
[[nodiscard]] bool is_set(Node value) {
  if (!value || value.is_opaque() || value.is_null()) return false;
  if (!value.is_scalar()) return value.size() > 0;
  return !value.text().empty() && value.text() != "false" && value.text() != "0";
}

/// Whether Helm certainly reads it as empty.
[[nodiscard]] bool is_unset(Node value) { return !is_set(value) && !value.is_opaque(); }

void check_forbidden(const ChartUse& use, Reporter& reporter) {
  for (const auto& [chart, key, remedy] : forbidden) {
    const Node value = use.values.get(key);
    if (use.keys->name != chart || !is_set(value)) continue;
    reporter.report_key(value, "the chart of {} does not allow the key `{}`", chart, key)
        .help("{}. {}", remedy, otherwise);
  }
}

/// Whether the file contains only these values. It may then be the chart's own file of defaults.
[[nodiscard]] bool is_plain_file(Node values) {
  const Document& document = *values.document();
  return document.host == nullptr && values == root(document);
}

/// v25.3 to v25.12: GPUs of the DRA driver conflict with the device plugin, and a second switch
/// confirms them. The command line can set it as well.
void check_dra_driver(const Corpus& corpus, const ChartUse& use, Reporter& reporter) {
  const Node enabled = use.values.at("resources", "gpus", "enabled");
  const Node override_switch = use.values.get("gpuResourcesEnabledOverride");
  if (use.keys->name != dra_driver || !is_set(enabled) || !is_unset(override_switch)) return;
  if (override_switch && is_plain_file(use.values)) return;
  Finding finding = reporter.report_key(
      enabled,
      "the chart of {} rejects `resources.gpus.enabled` without `gpuResourcesEnabledOverride`",
      dra_driver);
  finding.help(
      "set `gpuResourcesEnabledOverride: true`, or set `resources.gpus.enabled: false` if a device "
      "plugin advertises the same GPUs. {}",
      otherwise);
  if (!override_switch && use.values.style() != Style::flow) {
    finding.fix(Safety::unsafe, "write `gpuResourcesEnabledOverride: true`",
                insert_entry(*corpus.sources, use.values, "gpuResourcesEnabledOverride", "true"));
  }
}

/// templates/_helpers.tpl, hasDefaultConfig: `named` uses a file `default`, `single` the only file,
/// `empty` no file.
void check_plugin_configs(const ChartUse& use, Reporter& reporter) {
  const Node config = use.values.get("config");
  const Node map = config.get("map");
  const std::size_t count = map.fields().size();
  if (use.keys->name != device_plugin || count == 0) return;
  if (is_set(config.get("name"))) {
    reporter
        .report_key(map, "the chart of {} rejects `config.map` together with `config.name`",
                    device_plugin)
        .related(config.get("name"), "`config.name` names an existing ConfigMap")
        .help(
            "remove `config.map` to use the existing ConfigMap, or remove `config.name` to create "
            "a ConfigMap. {}",
            otherwise);
    return;
  }
  const bool is_plain = !config.get("fallbackStrategies") && is_unset(config.get("default"));
  if (!is_plain || count < 2 || map.get("default")) return;
  reporter
      .report_key(map, "`config.map` has {} configurations, but none of them is the default", count)
      .help(
          "set `config.default` to the name of one configuration, or rename one to `default`. "
          "Otherwise the chart of {} rejects the values",
          device_plugin);
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const ChartUse& use : corpus.chart_uses) {
    const auto layers = std::ranges::count(corpus.chart_uses, use.keys, &ChartUse::keys);
    if (layers > 1 || use.has_more) continue;  // other layers can add values
    check_forbidden(use, reporter);
    check_dra_driver(corpus, use, reporter);
    check_plugin_configs(use, reporter);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators",
                                          .severity = Severity::warning,
                                          .fix = FixAvailability::unsafe,
                                          .aliases = "refused-chart-values"},
                                 .check = check};

}  // namespace gpulint::rules::invalid_chart_values
