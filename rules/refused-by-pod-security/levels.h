#pragma once

#include <optional>
#include <string>

#include "compiler/ir/node.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::refused_by_pod_security {

/// A level that refuses pods which need the host, and what says so.
struct EnforcedLevel {
  std::string level;  ///< `baseline` or `restricted`.
  Node where;
};

/// What a namespace enforces; nothing where it refuses nothing, or is not among the inputs.
[[nodiscard]] std::optional<EnforcedLevel> find_enforced_level(const Corpus& corpus,
                                                               const std::string& name);

}  // namespace gpulint::rules::refused_by_pod_security
