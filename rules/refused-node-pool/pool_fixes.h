#pragma once

#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules::refused_node_pool {

/// What of a pool an error is about: a value of another type, else the longest of its keys and
/// values that the error quotes; else its name.
struct ErrorPlace {
  Node node;  ///< The scalar, or the one under the key; nothing for the name.
  Span span;
};
[[nodiscard]] ErrorPlace find_error_place(const NodePool& pool, std::string_view error);

/// The edit of a pool's declaration that mends what its tool refuses at `place`: quotes, a list
/// where one is read, an effect as the tool spells it, a field that is a slip away. None where what
/// is meant is not clear.
void offer_pool_fix(const Corpus& corpus, Node place, std::string_view error, Finding& finding);

}  // namespace gpulint::rules::refused_node_pool
