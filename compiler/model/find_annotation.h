#pragma once

#include <algorithm>
#include <string_view>

#include "compiler/model/workload.h"

namespace gpulint {

/// The annotation of the pod with this key; null if there is none.
[[nodiscard]] inline const LabelEntry* find_annotation(const Workload& workload,
                                                       std::string_view key) {
  const auto found = std::ranges::find_if(
      workload.annotations, [&](const LabelEntry& entry) { return entry.key.value == key; });
  return found == workload.annotations.end() ? nullptr : &*found;
}

}  // namespace gpulint
