#include "rules/alpha-affinity-annotation/move_to_field.h"

#include "compiler/edit/edits.h"
#include "compiler/edit/yaml_text.h"
#include "rules/support/device_label.h"

namespace gpulint::rules::alpha_affinity_annotation {
namespace {

/// The annotation's text as it can stand in the field: JSON of the right shape, nothing templated.
[[nodiscard]] Node value_for_field(const EmbeddedIndex& embedded, Node annotation,
                                   std::string_view field) {
  const auto at = embedded.find({annotation.written().document(), annotation.written().index()});
  if (at == embedded.end() || annotation.is_opaque()) return {};
  const Node value = root(*at->second);
  bool is_plain = field == "affinity" ? value.is_mapping() : value.is_sequence();
  walk(value, [&](Node node) { is_plain = is_plain && !node.is_alias() && !node.is_opaque(); });
  return is_plain && value.size() > 0 ? value : Node{};
}

}  // namespace

std::vector<Edit> move_to_field(const Corpus& corpus, const EmbeddedIndex& embedded,
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

}  // namespace gpulint::rules::alpha_affinity_annotation
