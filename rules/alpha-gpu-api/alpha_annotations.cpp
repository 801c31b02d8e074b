#include "rules/alpha-gpu-api/alpha_annotations.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/ir/node.h"
#include "compiler/model/facts/deprecation_catalog.h"
#include "rules/support/flyte_labels.h"
#include "rules/support/queries.h"

namespace gpulint::rules::alpha_gpu_api {
namespace {

struct AnnotationMove {
  Node annotation;  ///< Its value.
  Node spec;        ///< Of the pod or node with the annotation.
  std::string_view field;
};

/// The annotation's JSON as a value of the field; null if it has another type or is templated.
[[nodiscard]] Node value_for_field(const EmbeddedIndex& embedded, Node annotation,
                                   std::string_view field) {
  const auto at = embedded.find({annotation.written().document(), annotation.written().index()});
  if (at == embedded.end() || annotation.is_opaque()) return {};
  const Node value = root(*at->second);
  bool is_plain = field == "affinity" ? value.is_mapping() : value.is_sequence();
  walk(value, [&](Node node) { is_plain = is_plain && !node.is_alias() && !node.is_opaque(); });
  return is_plain && value.size() > 0 ? value : Node{};
}

/// Writes the annotation's value into the field of `spec` and removes the annotation. Empty if the
/// field exists, or if the text is not plain JSON of the field's type.
[[nodiscard]] std::vector<Edit> move_to_field(const Corpus& corpus, const EmbeddedIndex& embedded,
                                              const AnnotationMove& move) {
  const auto& [annotation, spec, field] = move;
  const Node value = value_for_field(embedded, annotation, field);
  if (!value || !spec.is_mapping() || spec.get(field)) return {};
  const std::string_view label = device_label(corpus);
  const Rewrite modern = [&](Node scalar) { return modern_requirement_text(scalar, label); };
  const bool flow = spec.style() == Style::flow;
  const std::string text = flow ? flow_text(value, modern) : block_text(value, modern);
  std::vector<Edit> edits = insert_entry(*corpus.sources, spec, field, text);
  const Node annotations = annotation.parent();
  const std::vector<Edit> removal =
      remove_entry(*corpus.sources, annotations.size() == 1 ? annotations : annotation);
  if (edits.empty() || removal.empty()) return {};
  edits.insert(edits.end(), removal.begin(), removal.end());
  return edits;
}

struct Successor {
  std::string_view annotation;
  std::string_view field;  ///< Of the pod's or node's `spec`.
};

constexpr std::array<Successor, 3> successors{
    {{"scheduler.alpha.kubernetes.io/affinity", "affinity"},
     {"scheduler.alpha.kubernetes.io/tolerations", "tolerations"},
     {"scheduler.alpha.kubernetes.io/taints", "taints"}}};

[[nodiscard]] const Successor* find_successor(std::string_view annotation) {
  const auto at = std::ranges::find(successors, annotation, &Successor::annotation);
  return at == successors.end() ? nullptr : &*at;
}

/// An annotation that Kubernetes ignores, and the `spec` of its pod or node.
struct DeadAnnotation {
  const Deprecation* fact;
  const Successor* successor;  ///< May be null.
  Node value;
  Node spec;
};

/// `` `spec.priorityClassName` with `a` or `b` `` for `spec.priorityClassName a / b`, the
/// replacement of an annotation in the table.
[[nodiscard]] std::string field_text(std::string_view replacement) {
  const std::size_t blank = replacement.find(' ');
  if (blank == replacement.npos) return fmt::format("`{}`", replacement);
  std::string values(replacement.substr(blank + 1));
  constexpr std::string_view separator = " / ";
  for (std::size_t at = values.find(separator); at != values.npos; at = values.find(separator)) {
    values.replace(at, separator.size(), "` or `");
  }
  return fmt::format("`{}` with `{}`", replacement.substr(0, blank), values);
}

void report_annotation(const Corpus& corpus, Reporter& reporter, const EmbeddedIndex& embedded,
                       const DeadAnnotation& dead) {
  const auto& [fact, successor, value, spec] = dead;
  Finding finding =
      reporter.report_key(value, "Kubernetes has ignored the annotation `{}` since version 1.{}",
                          fact->name, fact->removed_minor);
  if (successor == nullptr) {
    finding.help("remove the annotation, and use {}", field_text(fact->replacement))
        .severity(Severity::warning);
    return;
  }
  std::vector<Edit> edits = move_to_field(corpus, embedded, {value, spec, successor->field});
  if (edits.empty()) {
    finding.help("remove the annotation, and use `spec.{}`", successor->field);
    return;
  }
  finding.help("Kubernetes reads only `spec.{}`", successor->field)
      .fix(Safety::unsafe, fmt::format("move the annotation to `spec.{}`", successor->field),
           std::move(edits));
}

/// Adds the annotation if Kubernetes ignores it.
void add_annotation(const Settings& settings, std::string_view key, Node value, Node spec,
                    std::vector<DeadAnnotation>& found) {
  const Deprecation* fact =
      find_removed(DeprecationKind::annotation, key, settings.kubernetes_version);
  if (fact == nullptr) return;
  const Successor* successor = find_successor(fact->name);
  if (successor == nullptr && !settings.looks_beyond_gpus) return;
  found.push_back({fact, successor, value, spec});
}

}  // namespace

void check_annotations(const Corpus& corpus, Reporter& reporter) {
  std::vector<DeadAnnotation> found;
  const Settings& settings = *corpus.settings;
  for (const auto* workloads : {&corpus.workloads, &corpus.fragments}) {
    for (const Workload& workload : *workloads) {
      const bool about_gpus = settings.looks_beyond_gpus || concerns_gpus(workload.pod);
      for (const LabelEntry& entry : workload.annotations) {
        const Node value = entry.value.node();
        if (!about_gpus && !mentions_gpu(value.text())) continue;
        add_annotation(settings, entry.key.value, value, workload.pod.node, found);
      }
    }
  }
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.kind.equals("Node")) continue;
    for (const auto& [key, value] : object.node.at("metadata", "annotations").entries()) {
      add_annotation(settings, key.text(), value, object.node.get("spec"), found);
    }
  }
  if (found.empty()) return;
  const EmbeddedIndex embedded = index_embedded(corpus);
  for (const DeadAnnotation& dead : found) report_annotation(corpus, reporter, embedded, dead);
}

}  // namespace gpulint::rules::alpha_gpu_api
