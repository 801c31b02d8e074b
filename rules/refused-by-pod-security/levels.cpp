#include "rules/refused-by-pod-security/levels.h"

#include <string_view>

#include "rules/support/queries.h"

namespace gpulint::rules::refused_by_pod_security {
namespace {

[[nodiscard]] bool refuses(std::string_view level) {
  return level == "baseline" || level == "restricted";
}

/// Talos enforces `baseline` where a namespace says nothing («Pod Security», Talos 1.11), unless
/// its machine configuration says otherwise.
[[nodiscard]] Node find_talos_node(const Corpus& corpus) {
  for (const NodePool& pool : corpus.cluster.pools) {
    const Node image = pool.node.at("status", "nodeInfo", "osImage");
    if (image.text().starts_with("Talos (")) return image;
  }
  return {};
}

/// What the cluster enforces where a namespace carries no label: the `PodSecurityConfiguration` of
/// an AdmissionConfiguration or of Talos' machine configuration, else that of Talos' nodes.
[[nodiscard]] std::optional<EnforcedLevel> find_default_level(const Corpus& corpus,
                                                              const std::string& name) {
  Node found;
  for (const Document* const document : documents_with(corpus, "PodSecurityConfiguration")) {
    walk(root(*document), [&](Node at) {
      if (at.is_mapping() && at.get("kind").text() == "PodSecurityConfiguration") found = at;
    });
  }
  if (!found) {
    const Node talos = find_talos_node(corpus);
    const bool is_exempt = name == "kube-system";
    return talos && !is_exempt ? std::optional(EnforcedLevel{"baseline", talos}) : std::nullopt;
  }
  for (const Node exempt : found.at("exemptions", "namespaces").items()) {
    if (exempt.text() == name) return std::nullopt;
  }
  const Node level = found.at("defaults", "enforce");
  return refuses(level.text()) ? std::optional(EnforcedLevel{std::string(level.text()), level})
                               : std::nullopt;
}

}  // namespace

std::optional<EnforcedLevel> find_enforced_level(const Corpus& corpus, const std::string& name) {
  Node space;
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.kind.equals("Namespace") || object_name(object.node) != name) continue;
    if (space) return std::nullopt;  // which of them is in force?
    space = object.node;
  }
  if (!space) return std::nullopt;
  const Node labels = space.at("metadata", "labels");
  const Node level = labels.get("pod-security.kubernetes.io/enforce");
  if (labels.is_opaque()) return std::nullopt;
  if (!level) return find_default_level(corpus, name);
  return refuses(level.text()) ? std::optional(EnforcedLevel{std::string(level.text()), level})
                               : std::nullopt;
}

}  // namespace gpulint::rules::refused_by_pod_security
