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
  std::vector<std::string> parents;        ///< Keys above the chart's values, of a parent chart.
  std::vector<std::string> title;          ///< Comment lines at the top.
};

/// The block as YAML: a line for each decision, with a comment that says which nodes and tasks need
/// it. It goes over what the problem's configuration has; a list that is there already is repeated,
/// since Helm and Flyte replace lists. `{}` where nothing is needed.
[[nodiscard]] std::string to_yaml(const Solution& solution, const Problem& problem,
                                  const Shape& shape);

}  // namespace gpulint::generate
