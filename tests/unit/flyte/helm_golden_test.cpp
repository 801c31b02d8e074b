#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "backends/compiled_pods.h"
#include "compiler/flyte/inject.h"
#include "compiler/flyte/loaded_release.h"
#include "frontend/embedded.h"
#include "frontend/yaml_parser.h"
#include "tests/unit/flyte/support.h"

namespace gpulint::flyte::test {
namespace {

[[nodiscard]] HelmRelease release_of(const Json& golden, Inputs& inputs) {
  HelmRelease release;
  release.chart = golden.at("chart") == "flyte-core" ? FlyteChart::core : FlyteChart::binary;
  release.version = version_of(golden);
  release.name = golden.at("release").at("name").get<std::string>();
  release.name_space = golden.at("release").at("namespace").get<std::string>();
  for (const Json& text : golden.at("values")) {
    release.layers.push_back(root(inputs.parse(fmt::format("values-{}.yaml", release.layers.size()),
                                               text.get<std::string>())));
  }
  return release;
}

/// The manifests that Helm printed, with the YAML inside their strings.
class Manifests {
 public:
  explicit Manifests(const std::string& text) {
    const FileId id = sources_.add("rendered.yaml", text);
    documents_ = parse_file(sources_.file(id));
    const std::size_t hosts = documents_.size();
    for (std::size_t i = 0; i < hosts; ++i) {
      for (auto& embedded : embedded_documents(*documents_[i], sources_.file(id))) {
        documents_.push_back(std::move(embedded));
      }
    }
  }

  [[nodiscard]] std::vector<LoadedRelease> releases(FlyteVersion version) const {
    Settings settings;
    settings.flyte_version = version;
    std::vector<const Document*> pointers;
    for (const auto& document : documents_) pointers.push_back(document.get());
    return find_releases(pointers, sources_, settings);
  }

  [[nodiscard]] const SourceSet& sources() const { return sources_; }

 private:
  SourceSet sources_;
  std::vector<std::unique_ptr<Document>> documents_;
};

[[nodiscard]] Json platform_json(const LoadedRelease& loaded) {
  const auto set = [](const ConfigValue* values) {
    Json out = Json::object();
    for (const char* name : {"cpu", "gpu", "memory", "ephemeralStorage"}) {
      const ConfigValue* value = values == nullptr ? nullptr : values->find(name);
      const auto quantity = Quantity::parse(value == nullptr ? "0" : value->text);
      out[name] = quantity ? quantity->to_string() : "?";
    }
    return out;
  };
  return {{"defaults", set(loaded.admin.task_resources.find("defaults"))},
          {"limits", set(loaded.admin.task_resources.find("limits"))}};
}

/// Pods of a few tasks without their origins.
[[nodiscard]] std::string pods_text(const LoadedRelease& loaded, const SourceSet& sources) {
  std::vector<CompiledPod> pods;
  for (const char* spec : {"name=a,gpu=1", "name=b,gpu=2,interruptible,plugin=ray",
                           "name=c,gpu=1,device=nvidia-tesla-a100,partition=2g.10gb",
                           "name=d,cpu=1,limits.memory=9Gi"}) {
    const Task task = parse_task_spec(spec, loaded.version);
    pods.push_back(compile_task(loaded.propeller, loaded.platform, task));
  }
  std::ostringstream out;
  std::vector<const CompiledPod*> all;
  for (const CompiledPod& pod : pods) all.push_back(&pod);
  emit_compiled_json(all, sources, out);
  Json json = Json::parse(out.str());
  for (Json& pod : json["pods"]) {
    pod.erase("origin");
    pod.erase("errorPlace");
    if (!pod["spec"].is_object() || !pod["spec"].contains("nodeSelector")) continue;
    pod["spec"]["nodeSelector"] = without_empty(pod["spec"]["nodeSelector"]);
  }
  return json.dump();
}

[[nodiscard]] std::string compare_with_rendered(const Json& golden, const LoadedRelease& loaded,
                                                const SourceSet& sources) {
  const Manifests manifests(golden.at("rendered").get<std::string>());
  const std::vector<LoadedRelease> rendered = manifests.releases(version_of(golden));
  const auto at = std::ranges::find_if(
      rendered, [](const LoadedRelease& candidate) { return candidate.has_propeller; });
  if (at == rendered.end()) return loaded.has_propeller ? "no propeller in manifests" : "";
  const std::string of_values = pods_text(loaded, sources);
  const std::string of_manifests = pods_text(*at, manifests.sources());
  if (of_values == of_manifests) return "";
  return fmt::format("values compile to\n{}\nmanifests to\n{}", of_values, of_manifests);
}

[[nodiscard]] std::string helm_difference(const Json& golden) {
  Inputs inputs;
  const FlyteVersion version = version_of(golden);
  const LoadedRelease loaded = load_release(release_of(golden, inputs));
  if (!golden.at("helm_error").is_null()) {
    return loaded.propeller.problems.empty()
               ? "Helm refuses: " + golden["helm_error"].get<std::string>()
               : "";
  }
  if (!golden.at("flyte_error").is_null()) {
    return loaded.propeller.problems.empty() ? "Flyte refuses" : "";
  }
  const Json& expected_settings = golden.at("plugins_k8s_loaded");
  if (expected_settings.is_null() != !loaded.has_propeller) return "propeller there or not";
  if (loaded.has_propeller) {
    if (!loaded.propeller.problems.empty()) {
      return "refused: " + loaded.propeller.problems.front().message;
    }
    const TypeTable types(version);
    const Json actual = without_empty(to_json(loaded.propeller.k8s.tree, "K8sPluginConfig", types));
    if (const Json expected = without_empty(expected_settings); actual != expected) {
      return fmt::format("{}\ninstead of\n{}", actual.dump(), expected.dump());
    }
  }
  const Json& resources = golden.at("task_resources");
  if (version == FlyteVersion::v1 && !resources.is_null()) {
    if (!loaded.has_admin) return "no flyteadmin";
    Json expected = resources;
    for (auto& [kind, set] : expected.items()) {
      for (auto& [name, amount] : set.items()) {
        amount = Quantity::parse(amount.get<std::string>())->to_string();
      }
    }
    if (const Json actual = platform_json(loaded); actual != expected) {
      return fmt::format("{} instead of {}", actual.dump(), expected.dump());
    }
  }
  return compare_with_rendered(golden, loaded, inputs.sources());
}

void check_file(const char* name) {
  Differences differences(name);
  for_each_golden(name, [&](const Json& golden) {
    differences.count();
    if (const std::string text = helm_difference(golden); !text.empty())
      differences.add(golden, text);
  });
  differences.require_none();
}

TEST_CASE("values of a release give the configuration that is in force") {
  check_file("helm.jsonl");
}

TEST_CASE("the charts' own values files give the configuration that is in force") {
  check_file("helm-own-values.jsonl");
}

}  // namespace
}  // namespace gpulint::flyte::test
