#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/generate/solve.h"
#include "compiler/model/settings.h"

namespace gpulint::generate {

/// The file that a block is written for.
struct Shape {
  FlyteChart chart = FlyteChart::unknown;  ///< Unknown: Flyte's own configuration.
  std::vector<std::string> parents;        ///< Keys of parent charts, above the chart's values.
  std::vector<std::string> title;          ///< Comment lines at the top.
};

/// The block as YAML: one line for each setting, with a comment that says which nodes and tasks
/// need it. It is merged over the problem's configuration; existing lists are repeated, because
/// Helm and Flyte replace lists. `{}` if nothing is needed.
[[nodiscard]] std::string to_yaml(const Solution& solution, const Problem& problem,
                                  const Shape& shape);

}  // namespace gpulint::generate
