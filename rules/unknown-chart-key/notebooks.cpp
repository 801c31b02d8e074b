#include "rules/unknown-chart-key/notebooks.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/model/kinds/chart_values.h"

namespace gpulint::rules::unknown_chart_key {
namespace {

/// A field of pods, and its name where it is written.
struct OtherName {
  std::string_view written;
  std::string_view meant;
};

// jupyterhub/zero-to-jupyterhub-k8s 48ea50e34dad, jupyterhub/values.schema.yaml, which has no
// additional properties: Helm refuses others.
constexpr auto single_user = std::to_array<std::string_view>({"allowPrivilegeEscalation",
                                                              "cloudMetadata",
                                                              "cmd",
                                                              "cpu",
                                                              "defaultUrl",
                                                              "events",
                                                              "extraAnnotations",
                                                              "extraContainers",
                                                              "extraEnv",
                                                              "extraFiles",
                                                              "extraLabels",
                                                              "extraNodeAffinity",
                                                              "extraPodAffinity",
                                                              "extraPodAntiAffinity",
                                                              "extraPodConfig",
                                                              "extraResource",
                                                              "extraTolerations",
                                                              "fsGid",
                                                              "image",
                                                              "initContainers",
                                                              "lifecycleHooks",
                                                              "memory",
                                                              "networkPolicy",
                                                              "networkTools",
                                                              "nodeSelector",
                                                              "podNameTemplate",
                                                              "profileList",
                                                              "serviceAccountName",
                                                              "startTimeout",
                                                              "storage",
                                                              "uid"});
constexpr auto of_single_user =
    std::to_array<OtherName>({{"resources", "extraResource.limits"},
                              {"extraResources", "extraResource.limits"},
                              {"tolerations", "extraTolerations"},
                              {"affinity", "extraNodeAffinity"},
                              {"nodeAffinity", "extraNodeAffinity"},
                              {"node_selector", "nodeSelector"}});
// KubeSpawner 7: traits of the class, set by `kubespawner_override`.
constexpr auto of_override = std::to_array<OtherName>({{"resources", "extra_resource_limits"},
                                                       {"extraResource", "extra_resource_limits"},
                                                       {"extraResources", "extra_resource_limits"},
                                                       {"extraTolerations", "tolerations"},
                                                       {"extra_tolerations", "tolerations"},
                                                       {"nodeSelector", "node_selector"}});

// KubeSpawner 7, `profile_list`: a profile has display_name, description, slug, default,
// kubespawner_override and profile_options, and of all else nothing is read.
constexpr auto of_profile = std::to_array<OtherName>(
    {{"resources", "kubespawner_override.extra_resource_limits"},
     {"extraResource", "kubespawner_override.extra_resource_limits"},
     {"extra_resource_limits", "kubespawner_override.extra_resource_limits"},
     {"extraTolerations", "kubespawner_override.tolerations"},
     {"tolerations", "kubespawner_override.tolerations"},
     {"nodeSelector", "kubespawner_override.node_selector"},
     {"node_selector", "kubespawner_override.node_selector"},
     {"memory", "kubespawner_override.mem_limit"},
     {"cpu", "kubespawner_override.cpu_limit"},
     {"image", "kubespawner_override.image"}});

/// Traits of KubeSpawner that say where a pod may run and what it gets.
constexpr auto traits = std::to_array<std::string_view>(
    {"cpu_guarantee", "cpu_limit", "extra_container_config", "extra_pod_config",
     "extra_resource_guarantees", "extra_resource_limits", "mem_guarantee", "mem_limit",
     "node_affinity_preferred", "node_affinity_required", "node_selector", "tolerations"});

/// A key that is a letter off such a trait: setting it has no effect.
void check_traits(Reporter& reporter, Node overrides) {
  for (const Node::Entry& entry : overrides.fields()) {
    const std::string_view key = entry.key.text();
    const auto is_meant = [&](std::string_view trait) {
      return edit_distance(key, trait, 1) == 1 && !overrides.get(trait);
    };
    const auto* const meant = std::ranges::find_if(traits, is_meant);
    if (meant == traits.end()) continue;
    reporter.report(entry.key, "`{}` is no key of KubeSpawner", key)
        .help("it is ignored; did you mean `{}`?", *meant);
  }
}

[[nodiscard]] bool has_known_key(Node mapping) {
  return std::ranges::any_of(mapping.fields(), [](const Node::Entry& entry) {
    return is_listed(single_user, entry.key.text());
  });
}

void check_names(Reporter& reporter, Node mapping, std::span<const OtherName> names,
                 std::string_view owner, std::string_view effect) {
  for (const OtherName& name : names) {
    const Node value = mapping.get(name.written);
    if (!value || value.is_null() || (!value.is_scalar() && value.size() == 0)) continue;
    reporter.report_key(value, "`{}` is no key of {}", name.written, owner)
        .help("{}; what is meant is `{}`", effect, name.meant);
  }
}

void check_mapping(Reporter& reporter, Node at) {
  const std::string_view key = at.key() ? at.key().text() : std::string_view{};
  if (key == "singleuser" && has_known_key(at)) {
    check_names(reporter, at, of_single_user, "`singleuser`",
                "zero-to-jupyterhub does not read it, and refuses it where it has a schema");
  } else if (key == "kubespawner_override") {
    check_names(reporter, at, of_override, "KubeSpawner",
                "it is ignored: traits are written as in Python");
    check_traits(reporter, at);
  } else if (at.parent().key() && at.parent().key().text() == "profileList" &&
             at.get("display_name")) {
    check_names(reporter, at, of_profile, "a profile", "it is ignored");
  }
}

}  // namespace

void check_notebooks(const Document& document, Reporter& reporter) {
  for (const Node values : find_chart_values(document)) {
    walk(values, [&](Node at) {
      if (at.is_mapping()) check_mapping(reporter, at);
    });
  }
}

}  // namespace gpulint::rules::unknown_chart_key
