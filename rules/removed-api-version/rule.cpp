#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/model/facts/deprecation_catalog.h"
#include "compiler/model/facts/kubernetes_kinds.h"

namespace gpulint::rules::removed_api_version {
namespace {

/// Kinds that run GPU workloads or describe GPU nodes.
constexpr std::array<std::string_view, 13> gpu_kinds{
    "CronJob",     "DaemonSet",   "Deployment", "JobSet",     "LeaderWorkerSet",
    "MPIJob",      "Provisioner", "PyTorchJob", "ReplicaSet", "RuntimeClass",
    "StatefulSet", "TFJob",       "TfJob"};

/// Kinds whose fields changed with their version, so that renaming it is not enough (Kubernetes,
/// Deprecated API Migration Guide; the operators' own schemas).
constexpr std::array<std::string_view, 10> rewritten_kinds{"CustomResourceDefinition",
                                                           "HorizontalPodAutoscaler",
                                                           "Ingress",
                                                           "JobSet",
                                                           "MPIJob",
                                                           "PodSecurityPolicy",
                                                           "Provisioner",
                                                           "PyTorchJob",
                                                           "TFJob",
                                                           "TfJob"};

/// `apps/v1` requires the selector that older versions copied from the template.
[[nodiscard]] bool selects_pods(std::string_view kind) {
  return facts_of_kind(kind).traits.selects;
}

/// The pod template's labels, from which older versions made the selector; nothing unless all are
/// plain text.
[[nodiscard]] Node labels_for_selector(Node spec) {
  const Node labels = spec.at("template", "metadata", "labels");
  const std::vector<Node::Entry> entries = labels.fields();
  const bool is_plain = std::ranges::all_of(entries, [](const Node::Entry& entry) {
    return entry.value.is_scalar() && !entry.value.is_opaque() && !entry.key.is_opaque();
  });
  return entries.empty() || !is_plain ? Node{} : labels;
}

[[nodiscard]] std::vector<Edit> add_selector(const SourceSet& sources, Node spec) {
  const Node labels = labels_for_selector(spec);
  if (!labels) return {};
  const bool flow = spec.style() == Style::flow;
  std::string text = flow ? "{matchLabels: " + flow_text(labels) + "}" : "\n  matchLabels:";
  if (!flow) {
    for (const char c : block_text(labels)) text += c == '\n' ? "\n  " : std::string(1, c);
  }
  return insert_before(sources, spec.get("template"), "selector", text);
}

/// Writes the successor and the selector that it requires; empty if more fields changed.
[[nodiscard]] std::vector<Edit> modernise(const SourceSet& sources, const KubernetesObject& object,
                                          std::string_view kind, const Deprecation& fact) {
  if (is_listed(rewritten_kinds, kind) || fact.replacement.find('/') == std::string_view::npos)
    return {};
  std::vector<Edit> edits = replace_string(sources, object.api_version.node(), fact.replacement);
  const Node spec = object.node.get("spec");
  if (edits.empty() || !selects_pods(kind) || !spec) return edits;
  if (spec.get("rollbackTo") || spec.get("templateGeneration")) return {};
  if (spec.get("selector")) return edits;
  const std::vector<Edit> selector = add_selector(sources, spec);
  if (selector.empty()) return {};
  edits.insert(edits.end(), selector.begin(), selector.end());
  return edits;
}

/// Whether it is more than a patch, whose base has the selector: it has images or labels.
[[nodiscard]] bool is_whole(Node spec) {
  const std::vector<Node> containers = spec.at("template", "spec", "containers").items();
  return labels_for_selector(spec) || std::ranges::any_of(containers, [](Node container) {
           return bool(container.get("image"));
         });
}

/// `` `karpenter.sh/v1` NodePool ``; plain text if it is not a version.
[[nodiscard]] std::string version_text(std::string_view text) {
  if (text.find('/') == std::string_view::npos) return std::string(text);
  const std::size_t blank = std::min(text.find(' '), text.size());
  return fmt::format("`{}`{}", text.substr(0, blank), text.substr(blank));
}

/// `` `apps/v1` ``; several successors are joined with `+` in the facts.
[[nodiscard]] std::string successor_text(std::string_view replacement) {
  constexpr std::string_view plus = " + ";
  const std::size_t at = replacement.find(plus);
  if (at == std::string_view::npos) return version_text(replacement);
  return fmt::format("{} and {}", version_text(replacement.substr(0, at)),
                     version_text(replacement.substr(at + plus.size())));
}

/// `Karpenter 0.33 and later`; the facts have `Karpenter 0.33+ / 1.0`.
[[nodiscard]] std::string release_text(std::string_view removed_in) {
  const std::size_t plus = removed_in.find('+');
  if (plus == std::string_view::npos) return std::string(removed_in);
  return fmt::format("{} and later", removed_in.substr(0, plus));
}

void check_object(const Corpus& corpus, Reporter& reporter, const KubernetesObject& object) {
  if (!object.api_version.is_known() || !object.kind.is_known()) return;
  const std::string& version = object.api_version.value();
  // Ray and DRA have rules of their own.
  if (version.starts_with("ray.io/") || version.starts_with("resource.k8s.io/")) return;
  const std::string& written = object.kind.value();
  const std::string_view kind = find_kind(api_group(version), written).value_or(written);
  const Deprecation* fact = find_deprecated_api(version, kind);
  if (fact == nullptr) return;
  if (!is_listed(gpu_kinds, kind) && !corpus.settings->looks_beyond_gpus) return;
  const Node place = object.api_version.node();
  const bool is_kubernetes = fact->removed_minor != 0;
  if (is_kubernetes && !is_removed(*fact, corpus.settings->kubernetes_version)) return;
  if (!is_kubernetes && fact->removed_in.empty()) return;
  Finding finding = is_kubernetes
                        ? reporter.report(place, "`{}` {} is not served by Kubernetes {} and later",
                                          version, kind, fact->removed_in)
                        : reporter
                              .report(place, "`{}` {} is not served by {}", version, kind,
                                      release_text(fact->removed_in))
                              .severity(Severity::warning);
  const bool adds_selector = selects_pods(kind) && !object.node.at("spec", "selector") &&
                             is_whole(object.node.get("spec"));
  const bool is_other_kind = fact->replacement.find(' ') != std::string_view::npos;
  finding
      .help("use {}{}{}. Otherwise the API server {} the object", successor_text(fact->replacement),
            is_other_kind ? fmt::format(" instead of {}", kind) : "",
            adds_selector ? ", and add `spec.selector`" : "",
            is_kubernetes ? "rejects" : "may reject")
      .fix(Safety::unsafe,
           fmt::format("write `{}`{}", fact->replacement, adds_selector ? " and a selector" : ""),
           modernise(*corpus.sources, object, kind, *fact));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const KubernetesObject& object : corpus.objects) {
    check_object(corpus, reporter, object);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "deprecated", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::removed_api_version
