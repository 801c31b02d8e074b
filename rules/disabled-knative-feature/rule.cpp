#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/ternary.h"
#include "compiler/schedule/tolerate.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::disabled_knative_feature {
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

/// Where the features of the cluster are set: `data` of ConfigMap `config-features`, or
/// `spec.config.features` of the operator's KnativeServing.
struct Settings {
  Node object;
  Node flags;

  /// ``ConfigMap `config-features` ``.
  [[nodiscard]] std::string name() const {
    return fmt::format("{} `{}`", object.get("kind").text(), object_name(object));
  }
};

[[nodiscard]] std::vector<Settings> find_settings(const Corpus& corpus) {
  std::vector<Settings> found;
  for (const KubernetesObject& object : corpus.objects) {
    if (object.kind.equals("ConfigMap") && object_name(object.node) == "config-features") {
      found.push_back({object.node, object.node.get("data")});
    }
    if (object.kind.equals("KnativeServing")) {
      const Node config = object.node.at("spec", "config");
      const Node flags = config.get("features");
      found.push_back({object.node, flags ? flags : config.get("config-features")});
    }
  }
  return found;
}

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

/// Whether the pod selects a node with accelerators, or tolerates a taint of one.
[[nodiscard]] bool is_for_accelerators(const Corpus& corpus, const PodSpec& pod) {
  if (corpus.placement == nullptr || !corpus.placement->nodes) return false;
  const KnownNodes& nodes = *corpus.placement->nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.has_accelerators(i) != Ternary::yes) continue;
    const PreparedNode& node = nodes.placement().classes()[i].node;
    const bool is_selected = std::ranges::any_of(pod.node_selector, [&](const LabelEntry& entry) {
      return matches(entry, node.labels) == Ternary::yes;
    });
    const bool is_tolerated = std::ranges::any_of(node.pool->taints, [&](const Taint& taint) {
      return tolerated(pod.tolerations, taint) == Ternary::yes;
    });
    if (is_selected || is_tolerated) return true;
  }
  return false;
}

void report(const Corpus& corpus, Reporter& reporter, const Workload& workload, const Node field,
            const Feature& feature, const Settings& settings) {
  const Node value = settings.flags.get(feature.flag);
  Finding finding = reporter.report_key(
      field, "Knative rejects `{}` in {}, because the feature flag for this field is not enabled",
      feature.field, describe(workload));
  finding.related(
      value ? value : settings.object.at("metadata", "name"),
      value ? "this value does not enable the feature" : "the feature flags of Knative");
  finding.help("set `{}: enabled`", feature.flag);
  const std::string_view example = value ? "" : settings.flags.get("_example").text();
  if (example.find(feature.flag) != example.npos) {
    finding.help(
        "set `{}: enabled` directly under `{}` of {}; Knative ignores settings in `_example`",
        feature.flag, settings.flags.key().text(), settings.name());
  }
  if (is_of_knative(workload) == Ternary::unknown) {
    finding.severity(Severity::warning)
        .add_help(
            "or deploy without Knative, with the annotation "
            "`serving.kserve.io/deploymentMode: RawDeployment`");
  }
  const std::string title = fmt::format("set `{}: enabled`", feature.flag);
  if (value) {
    finding.fix(Safety::unsafe, title, replace_string(*corpus.sources, value, "enabled"));
    return;
  }
  finding.fix(Safety::unsafe, title,
              insert_entry(*corpus.sources, settings.flags, feature.flag, "enabled"));
}

void check(const Corpus& corpus, Reporter& reporter) {
  const std::vector<Settings> settings = find_settings(corpus);
  if (settings.size() != 1) return;  // of several, it is unknown which takes effect
  const Settings& only = settings.front();
  if (only.flags.is_opaque()) return;
  for (const Workload& workload : corpus.workloads) {
    const bool may_be = is_of_knative(workload) != Ternary::no;
    const bool concerns_gpus = gpu_relation(workload.pod) != GpuRelation::none ||
                               is_for_accelerators(corpus, workload.pod);
    if (!may_be || !concerns_gpus) continue;
    for (const Feature& feature : features) {
      const Node field = workload.pod.node.get(feature.field);
      if (!field || field.is_null() || may_be_on(only.flags.get(feature.flag))) continue;
      report(corpus, reporter, workload, field, feature, only);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::disabled_knative_feature
