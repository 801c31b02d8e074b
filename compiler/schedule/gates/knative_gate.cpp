#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {
namespace {

/// A field of a pod that Knative's webhook rejects unless its feature is enabled.
struct Feature {
  std::string_view field;
  std::string_view flag;
};
// knative/serving 98e5ef90aa70, pkg/apis/config/features.go (all off by default) and
// pkg/apis/serving/fieldmask.go.
constexpr auto features = std::to_array<Feature>({
    {"affinity", "kubernetes.podspec-affinity"},
    {"nodeSelector", "kubernetes.podspec-nodeselector"},
    {"priorityClassName", "kubernetes.podspec-priorityclassname"},
    {"runtimeClassName", "kubernetes.podspec-runtimeclassname"},
    {"schedulerName", "kubernetes.podspec-schedulername"},
    {"tolerations", "kubernetes.podspec-tolerations"},
});

/// Other values leave the feature at its default, which is disabled.
[[nodiscard]] bool may_be_on(Node value) {
  const std::string word = to_lower(value.text());
  return value.is_opaque() || word == "enabled" || word == "allowed";
}

/// Whether Knative creates the pod: of its own Service, or of an InferenceService with that mode.
/// Unknown without a mode: KServe's configuration then decides, and its default is Knative.
[[nodiscard]] Ternary is_of_knative(const Workload& workload) {
  if (workload.api_version.value_or("").starts_with("serving.knative.dev/")) return Ternary::yes;
  const std::string_view mode =
      workload.object.at("metadata", "annotations").get("serving.kserve.io/deploymentMode").text();
  if (!workload.kind.equals("InferenceService")) return Ternary::no;
  return mode.empty() ? Ternary::unknown : ternary(mode == "Serverless" || mode == "Knative");
}

void add_feature(Obstacles& found, const Workload& workload, Node field, const Feature& feature,
                 const KnativeFlags& settings) {
  const Node value = settings.flags.get(feature.flag);
  const std::string_view example = value ? "" : settings.flags.get("_example").text();
  const std::string object =
      fmt::format("{} `{}`", settings.object.get("kind").text(), object_name(settings.object));
  std::string advice =
      example.find(feature.flag) == example.npos
          ? fmt::format("set `{}: enabled` in {}", feature.flag, object)
          : fmt::format(
                "set `{}: enabled` directly under `{}` of {}. Knative ignores settings in "
                "`_example`",
                feature.flag, settings.flags.key().text(), object);
  const bool may_be_elsewhere = is_of_knative(workload) == Ternary::unknown;
  if (may_be_elsewhere) {
    advice +=
        ". Or deploy without Knative: add the annotation `serving.kserve.io/deploymentMode: "
        "RawDeployment`";
  }
  Obstacle& obstacle =
      found
          .add_at_key(field, "Knative rejects `{}` in {}, because the feature flag is not enabled",
                      feature.field, describe(workload))
          .related(value ? value : settings.object.at("metadata", "name"),
                   value ? std::string("this value does not enable the feature")
                         : fmt::format("Knative's feature flags do not enable `{}`", feature.field))
          .help("{}", advice);
  if (may_be_elsewhere) obstacle.assume();
}

}  // namespace

std::string_view knative_flag_of(std::string_view field) {
  const auto* const feature = std::ranges::find(features, field, &Feature::field);
  return feature == features.end() ? std::string_view() : feature->flag;
}

std::optional<KnativeFlags> find_knative_flags(const ScopeModel& model) {
  std::vector<KnativeFlags> found;
  for (const KubernetesObject& object : model.objects) {
    if (object.kind.equals("ConfigMap") && object_name(object.node) == "config-features") {
      found.push_back({object.node, object.node.get("data")});
    }
    if (object.kind.equals("KnativeServing")) {
      const Node config = object.node.at("spec", "config");
      const Node flags = config.get("features");
      found.push_back({object.node, flags ? flags : config.get("config-features")});
    }
  }
  const bool is_known = found.size() == 1 && !found.front().flags.is_opaque();
  return is_known ? std::optional(found.front()) : std::nullopt;
}

FindObstacles make_knative_gate(const ScopeModel& model) {
  const std::optional<KnativeFlags> settings = find_knative_flags(model);
  if (!settings) return no_obstacles;
  return [settings = *settings](const Workload& workload) {
    Obstacles found(Gate::admission);
    if (is_of_knative(workload) == Ternary::no) return std::move(found).take();
    for (const Feature& feature : features) {
      const Node field = workload.pod.node.get(feature.field);
      if (!field || field.is_null() || may_be_on(settings.flags.get(feature.flag))) continue;
      add_feature(found, workload, field, feature, settings);
    }
    return std::move(found).take();
  };
}

}  // namespace gpulint
