#include "compiler/flyte/helm_defaults.h"

#include <fmt/format.h>

#include "compiler/flyte/helm_chart.h"

namespace gpulint::flyte {
namespace {

// charts/flyte-core/values.yaml of Flyte v1.16.8.
[[nodiscard]] ConfigValue core_values() {
  ConfigValue values = make_map();
  for (const char* component : {"flytepropeller", "flyteadmin"}) {
    values.at_or_add(component).set("enabled", make_boolean(true));
  }
  ConfigValue& config = values.at_or_add("configmap");
  ConfigValue& co_pilot =
      config.at_or_add("copilot").at_or_add("plugins").at_or_add("k8s").at_or_add("co-pilot");
  co_pilot.set("name", make_string("flyte-copilot-"));
  co_pilot.set("image", make_string("cr.flyte.org/flyteorg/flytecopilot:v1.16.8"));
  co_pilot.set("start-timeout", make_string("30s"));
  ConfigValue& k8s = config.at_or_add("k8s").at_or_add("plugins").at_or_add("k8s");
  k8s.set("default-env-vars", make_list());
  k8s.set("default-cpus", make_string("100m"));
  k8s.set("default-memory", make_string("100Mi"));
  ConfigValue& resources = config.at_or_add("task_resource_defaults").at_or_add("task_resources");
  ConfigValue& defaults = resources.at_or_add("defaults");
  defaults.set("cpu", make_string("100m"));
  defaults.set("memory", make_string("500Mi"));
  ConfigValue& limits = resources.at_or_add("limits");
  limits.set("cpu", make_integer(2));
  limits.set("memory", make_string("1Gi"));
  limits.set("gpu", make_integer(1));
  return values;
}

// charts/flyte-binary/values.yaml of Flyte v1.16.8 and Flyte 2.
[[nodiscard]] ConfigValue binary_values(FlyteVersion version) {
  ConfigValue values = make_map();
  const bool is_v2 = version == FlyteVersion::v2;
  ConfigValue& image = values.at_or_add("configuration").at_or_add("co-pilot").at_or_add("image");
  image.set("repository", make_string(is_v2 ? "cr.flyte.org/flyteorg/flyte-binary-v2"
                                            : "cr.flyte.org/flyteorg/flytecopilot"));
  image.set("tag", make_string(is_v2 ? "latest" : "v1.16.8"));
  return values;
}

}  // namespace

ChartInfo chart_info(FlyteChart chart, FlyteVersion version) {
  if (chart == FlyteChart::core) return {"flyte-core", "v1.16.8"};
  return {"flyte-binary", version == FlyteVersion::v2 ? "v2, August 2026" : "v1.16.8"};
}

ConfigValue chart_values(FlyteChart chart, FlyteVersion version) {
  return chart == FlyteChart::core ? core_values() : binary_values(version);
}

std::vector<std::string_view> chart_value_keys(FlyteChart chart) {
  if (chart == FlyteChart::core) {
    return {"cloud_events",
            "cluster_resource_manager",
            "common",
            "configmap",
            "databricks",
            "datacatalog",
            "db",
            "deployRedoc",
            "external_events",
            "flyteadmin",
            "flyteagent",
            "flyteconnector",
            "flyteconsole",
            "flytepropeller",
            "flytescheduler",
            "secrets",
            "sparkoperator",
            "storage",
            "webhook",
            "workflow_notifications",
            "workflow_scheduler"};
  }
  return {"clusterResourceTemplates",
          "commonAnnotations",
          "commonLabels",
          "configuration",
          "deployment",
          "enabled_plugins",
          "flyte-core-components",
          "flyteagent",
          "flyteconnector",
          "fullnameOverride",
          "ingress",
          "nameOverride",
          "rbac",
          "service",
          "serviceAccount"};
}

std::string binary_name(const ConfigValue& values, std::string_view release) {
  const auto text = [&](std::string_view key) {
    const ConfigValue* value = values.find(key);
    return value == nullptr || value->is_null() ? std::string() : value->text;
  };
  constexpr std::size_t longest = 63;
  if (const std::string full = text("fullnameOverride"); !full.empty()) {
    return full.substr(0, longest);
  }
  const std::string override = text("nameOverride");
  const std::string name = override.empty() ? "flyte-binary" : override;
  if (release.find(name) != std::string_view::npos) return std::string(release.substr(0, longest));
  return fmt::format("{}-{}", release, name).substr(0, longest);
}

}  // namespace gpulint::flyte
