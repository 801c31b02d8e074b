#include "compiler/flyte/loaded_release.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/unit/flyte/support.h"

namespace gpulint::flyte::test {
namespace {

[[nodiscard]] std::vector<LoadedRelease> find(Inputs& inputs,
                                              std::vector<const Document*> documents,
                                              Settings settings = {}) {
  return find_releases(documents, inputs.sources(), settings);
}

TEST_CASE("values files are told by their content, also one level down") {
  Inputs inputs;
  const auto kind = [&](const char* text) { return recognize(inputs.parse("a.yaml", text)).kind; };
  CHECK(kind("configmap: {k8s: {plugins: {}}}") == DocumentKind::core_values);
  CHECK(kind("flyte-core: {configmap: {task_resource_defaults: {}}}") == DocumentKind::core_values);
  CHECK(kind("configuration: {inline: {plugins: {k8s: {}}}}") == DocumentKind::binary_values);
  CHECK(kind("flyte: {configuration: {inline: {task_resources: {}}}}") ==
        DocumentKind::binary_values);
  CHECK(kind("plugins: {k8s: {gpu-resource-name: a}}") == DocumentKind::config);
  CHECK(kind("Plugins: {K8s: {gpu-resource-name: a}}") == DocumentKind::config);
  CHECK(kind("plugins: [eslint, import]") == DocumentKind::none);
  CHECK(kind("configuration: {key: value}") == DocumentKind::none);
  CHECK(kind("plugins: {k8s: {gpu_resource_name: a}}") == DocumentKind::config);
  CHECK(kind("plugins: {k8s: {kubeconfig: /root/.kube/config}}") == DocumentKind::none);
  CHECK(kind("flyteadmin: {roleNameKey: a}\ntask_resources: {limits: {gpu: 1}}") ==
        DocumentKind::config);
  CHECK(kind("task_resources: {train: {cpu: 4}}") == DocumentKind::none);
  CHECK(kind("services: {flyteadmin: {image: a, ports: []}}") == DocumentKind::none);
  CHECK(kind("apiVersion: v1\nkind: ConfigMap\nconfigmap: {k8s: {}}") == DocumentKind::none);
}

TEST_CASE("of a chart that other values are named for, these alone tell what is known") {
  Inputs inputs;
  const auto kind = [&](const std::string& rest) {
    const std::string text =
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec:\n"
        "  chart: {spec: {chart: flyte-binary}}\n" +
        rest;
    return recognize(inputs.parse("a.yaml", text)).kind;
  };
  const std::string other = "  values: {service: {port: 80}}\n";
  const std::string known = "  values: {configuration: {inline: {plugins: {k8s: {}}}}}\n";
  const std::string elsewhere = "  valuesFrom: [{kind: ConfigMap, name: a}]\n";
  CHECK(kind(other) == DocumentKind::binary_values);
  CHECK(kind(other + elsewhere) == DocumentKind::none);
  CHECK(kind(known + elsewhere) == DocumentKind::binary_values);
  CHECK(kind(elsewhere) == DocumentKind::none);
}

TEST_CASE("each environment below a key of its own is a release") {
  Inputs inputs;
  const Document& values = inputs.parse("a.yaml", R"(
test: {apps: {flyte-binary: {configuration: {inline: {plugins: {k8s: {}}}}}}}
live: {apps: {flyte: {configmap: {k8s: {plugins: {k8s: {}}}}}}}
services: {apps: {flyteadmin: {build: .}}}
)");
  const std::vector<LoadedRelease> found = find(inputs, {&values});
  REQUIRE(found.size() == 2);
  CHECK(found[0].chart == FlyteChart::binary);
  CHECK(found[1].chart == FlyteChart::core);
}

TEST_CASE("a Terraform plan is none of Flyte's values, whatever chart is declared") {
  Inputs inputs;
  const Document& plan = inputs.parse("plan.json", R"({"format_version": "1.2",
      "terraform_version": "1.9.5", "planned_values": {"root_module": {}},
      "configuration": {"provider_config": {}, "root_module": {}}})");
  const Document& values = inputs.parse("values.yaml", "configuration: {inline: {plugins: {}}}\n");
  const Document& other = inputs.parse("other.yaml", "service: {port: 80}\ningress: {}\n");
  Settings settings;
  settings.flyte_chart = FlyteChart::binary;
  CHECK(find(inputs, {&plan}, settings).empty());
  settings.values_layers = {"values.yaml"};
  CHECK(find(inputs, {&values, &plan, &other}, settings).size() == 1);
}

TEST_CASE("a ConfigMap is Flyte's by its name, its labels or what only Flyte has") {
  Inputs inputs;
  const auto releases = [&](const char* metadata, const char* config) {
    const Document& object =
        inputs.parse("map.yaml", std::string("apiVersion: v1\nkind: ConfigMap\nmetadata: ") +
                                     metadata + "\ndata:\n  config.yaml: |\n    " + config + "\n");
    const Document& embedded = inputs.embedded(object);
    return find(inputs, {&object, &embedded}).size();
  };
  CHECK(releases("{name: pipeline}", "tasks: [{name: train, gpu: 1}]") == 0);
  CHECK(releases("{name: pipeline}", "plugins: {gpu: {}}") == 0);
  CHECK(releases("{name: pipeline}", "plugins: {k8s: {default-cpus: 1}}") == 1);
  CHECK(releases("{name: flyte-propeller-config}", "plugins: {gpu: {}}") == 1);
  CHECK(releases("{name: a, labels: {helm.sh/chart: flyte-core-v1.3.0}}", "tasks: {gpu: b}") == 1);
}

TEST_CASE("flyteadmin's file is told in any letter case") {
  for (const char* section : {"task_resources", "Task_Resources", "TASK_RESOURCES"}) {
    Inputs inputs;
    const Document& object = inputs.parse(
        "map.yaml",
        fmt::format("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: flyte-admin-base-config}}\n"
                    "data:\n  task_resource_defaults.yaml: |\n    {}: {{limits: {{gpu: 4}}}}\n",
                    section));
    const Document& embedded = inputs.embedded(object);
    const std::vector<LoadedRelease> found = find(inputs, {&object, &embedded});
    REQUIRE(found.size() == 1);
    CHECK(found.front().has_admin);
    CHECK_FALSE(found.front().has_propeller);
  }
}

TEST_CASE("of keys that differ in letter case values and what Helm prints of them take the same") {
  Inputs inputs;
  const Document& values = inputs.parse(
      "values.yaml",
      "configuration: {inline: {plugins: {k8s: {default-node-selector: {pOOL: a, POOL: b}}}}}\n");
  const Document& object =
      inputs.parse("map.yaml",
                   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: flyte-binary-config}\ndata:\n"
                   "  100-inline-config.yaml: |\n"
                   "    plugins: {k8s: {default-node-selector: {POOL: b, pOOL: a}}}\n");
  const Document& embedded = inputs.embedded(object);
  const std::vector<LoadedRelease> found = find(inputs, {&values, &object, &embedded});
  REQUIRE(found.size() == 2);
  for (const LoadedRelease& release : found) {
    REQUIRE(release.propeller.k8s.default_node_selector.size() == 1);
    CHECK(release.propeller.k8s.default_node_selector.front().value.value() == "a");
  }
}

TEST_CASE("values that are named are read though they show nothing of Flyte") {
  Inputs inputs;
  const Document& values = inputs.parse("values.yaml", "configmap: {logger: {level: 5}}\n");
  Settings settings;
  settings.values_layers = {"values.yaml"};
  const std::vector<LoadedRelease> found = find(inputs, {&values}, settings);
  REQUIRE(found.size() == 1);
  CHECK(found.front().chart == FlyteChart::core);
  CHECK(find(inputs, {&values}).empty());
}

TEST_CASE("each values file is a release of its own unless layers are named") {
  Inputs inputs;
  const Document& base =
      inputs.parse("values.yaml", "configmap: {k8s: {plugins: {k8s: {gpu-resource-name: a/b}}}}\n");
  const Document& over =
      inputs.parse("prod.yaml", "configmap: {k8s: {plugins: {k8s: {gpu-resource-name: c/d}}}}\n");
  CHECK(find(inputs, {&base, &over}).size() == 2);

  Settings settings;
  settings.values_layers = {"values.yaml", "prod.yaml"};
  const auto layered = find(inputs, {&base, &over}, settings);
  REQUIRE(layered.size() == 1);
  CHECK(layered[0].propeller.k8s.gpu_resource_name.value() == "c/d");
  REQUIRE(layered[0].lost_values.size() == 1);
  const LostValue& lost = layered[0].lost_values.front();
  CHECK(lost.path == "configmap.k8s.plugins.k8s.gpu-resource-name");
  CHECK(inputs.sources().text(lost.loser.span()) == "a/b");
  CHECK(inputs.sources().text(lost.winner.span()) == "c/d");
}

TEST_CASE("the chart's defaults hold where the values say nothing") {
  Inputs inputs;
  const Document& values = inputs.parse("values.yaml", "configmap: {k8s: {plugins: {}}}\n");
  const auto found = find(inputs, {&values});
  REQUIRE(found.size() == 1);
  CHECK(found[0].propeller.k8s.default_cpus.value().to_string() == "100m");
  CHECK_FALSE(found[0].propeller.k8s.default_cpus.node());
  const Amount* gpu_limit = found[0].platform.by_name.limits.find("nvidia.com/gpu");
  REQUIRE(gpu_limit != nullptr);
  CHECK(gpu_limit->quantity == Quantity::of(1));
}

TEST_CASE("the chart's name is known in templates, the release and versions are not") {
  Inputs inputs;
  const auto text_of = [&](const char* values) {
    const auto found = find(inputs, {&inputs.parse("values.yaml", values)});
    REQUIRE(found.size() == 1);
    const Field<std::string>& name = found[0].propeller.k8s.gpu_resource_name;
    return name.is_opaque() ? std::string("opaque") : name.value_or("absent");
  };
  CHECK(
      text_of("configmap: {k8s: {plugins: {k8s: {gpu-resource-name: '{{ .Chart.Name }}/gpu'}}}}") ==
      "flyte-core/gpu");
  CHECK(text_of("configuration: {inline: {plugins: {k8s: {gpu-resource-name: "
                "'{{ .Chart.Name }}/gpu'}}}}") == "flyte-binary/gpu");
  // A dependency bears its alias.
  CHECK(text_of("flyte: {configmap: {k8s: {plugins: {k8s: {gpu-resource-name: "
                "'{{ .Chart.Name }}/gpu'}}}}}") == "flyte/gpu");
  for (const char* unknown :
       {".Release.Name", ".Release.Namespace", ".Release.Service", ".Release.IsUpgrade",
        ".Chart.Version", ".Chart.AppVersion", ".Capabilities.KubeVersion.Version"}) {
    const std::string values = fmt::format(
        "configmap: {{k8s: {{plugins: {{k8s: {{gpu-resource-name: "
        "'{{{{ {} }}}}/gpu'}}}}}}}}",
        unknown);
    CAPTURE(values);
    CHECK(text_of(values.c_str()) == "opaque");
  }
}

TEST_CASE("the version shows in image tags and in keys of one version") {
  Inputs inputs;
  const auto version = [&](const char* text) {
    const Document* document = &inputs.parse("a.yaml", text);
    return detect_version({&document, 1});
  };
  CHECK(version("image: cr.flyte.org/flyteorg/flyte-binary-v2:latest") == FlyteVersion::v2);
  CHECK(version("image: cr.flyte.org/flyteorg/flytepropeller:v1.16.8") == FlyteVersion::v1);
  CHECK(version("plugins: {k8s: {accelerator-devices: {}}}") == FlyteVersion::v2);
  CHECK(version("plugins: {k8s: {gpu-resource-name: a}}") == FlyteVersion::unknown);
}

TEST_CASE("a template of known values is evaluated, an unknown one stays open") {
  Inputs inputs;
  const Document& values = inputs.parse("values.yaml", R"(
gpu: {label: nvidia.com/gpu.product, pool: p}
configmap:
  k8s:
    plugins:
      k8s:
        gpu-device-node-label: '{{ .Values.gpu.label }}'
        scheduler-name: '{{ include "my.scheduler" . }}'
)");
  const auto found = find(inputs, {&values});
  REQUIRE(found.size() == 1);
  const K8sPluginConfig& k8s = found[0].propeller.k8s;
  CHECK(k8s.gpu_device_node_label.value() == "nvidia.com/gpu.product");
  CHECK(k8s.scheduler_name.is_opaque());
}

TEST_CASE("an unknown key keeps its node, a decode problem too") {
  Inputs inputs;
  const std::vector<ConfigFile> files{inputs.config_file("c.yaml", R"(
plugins:
  k8s:
    gpu_resource_name: a
    default-tolerations: [{key: k, efect: NoSchedule}]
    default-cpus: lots
)")};
  const FlyteConfig config = load_flyte_config(files, FlyteVersion::v1);
  REQUIRE(config.unknown_keys.size() == 2);
  CHECK(inputs.sources().text(config.unknown_keys[0].key_node.span()) == "efect");
  CHECK(config.unknown_keys[0].type == "Toleration");
  CHECK(inputs.sources().text(config.unknown_keys[1].key_node.span()) == "gpu_resource_name");
  REQUIRE(config.problems.size() == 1);
  CHECK(config.problems[0].path == "plugins.k8s.default-cpus");
  CHECK(inputs.sources().text(config.problems[0].node.span()) == "lots");
}

TEST_CASE("a value that a later file replaces or cannot replace is remembered") {
  Inputs inputs;
  const std::vector<ConfigFile> files{
      inputs.config_file("a.yaml", "plugins: {k8s: {scheduler-name: one, co-pilot: {cpu: 1}}}"),
      inputs.config_file("b.yaml", "plugins: {k8s: {scheduler-name: two, co-pilot: [x]}}")};
  const FlyteConfig config = load_flyte_config(files, FlyteVersion::v1);
  REQUIRE(config.lost.size() == 2);
  CHECK(config.lost[0].path == "plugins.k8s.scheduler-name");
  CHECK(config.lost[0].reason == LostValue::Reason::replaced);
  CHECK(config.lost[1].path == "plugins.k8s.co-pilot");
  CHECK(config.lost[1].reason == LostValue::Reason::ignored);
  CHECK(inputs.sources().text(config.find_setting("plugins.k8s.Scheduler-Name").span()) == "two");
}

}  // namespace
}  // namespace gpulint::flyte::test
