#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules {

/// A label that nodes carry: `key=value`, or the key alone.
struct MeantLabel {
  const std::string& key;
  const std::string& value;
  [[nodiscard]] std::string text() const {
    return value.empty() ? key : fmt::format("{}={}", key, value);
  }
};

/// Renames what the cause (an UnmatchedRequirement) has written, where that is what was compiled,
/// in place. No edits where it cannot be corrected.
[[nodiscard]] std::vector<Edit> correct_labels(const SourceSet& sources, const Cause& cause,
                                               const MeantLabel& meant);

}  // namespace gpulint::rules
