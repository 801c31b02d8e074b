#pragma once

#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/ir/node.h"
#include "compiler/model/corpus.h"
#include "rules/support/queries.h"

namespace gpulint::rules::alpha_affinity_annotation {

struct AnnotationMove {
  Node annotation;  ///< Its value.
  Node spec;        ///< Of the pod or node that carries it.
  std::string_view field;
};

/// Writes what the annotation says into the field of `spec`, and removes the annotation. Nothing
/// where the field is there, or where the text is no plain JSON of the field's shape.
[[nodiscard]] std::vector<Edit> move_to_field(const Corpus& corpus, const EmbeddedIndex& embedded,
                                              const AnnotationMove& move);

}  // namespace gpulint::rules::alpha_affinity_annotation
