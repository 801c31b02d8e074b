#pragma once

#include <string>
#include <vector>

#include "compiler/generate/prepared_problem.h"

namespace gpulint::generate {

/// A task that no configuration places on a node that it means.
struct Unsolved {
  std::string task;
  std::string message;  ///< The obstacle: lower case, no period.
  std::string advice;   ///< What to change on the nodes or the task; may be empty.
};

/// A task that may fit a node that it means, which is not certain.
struct OpenTask {
  std::string task;
  std::string message;     ///< What is unknown: lower case, no period.
  std::string advice;      ///< What would make it certain; may be empty.
  bool is_likely = false;  ///< The nodes' provider sets what it needs, as far as the inputs show.
};

/// For each task that does not fit nodes that it means: why, and what would help. `trial` is of the
/// best configuration, `services` its outcome.
[[nodiscard]] std::vector<Unsolved> advise(const PreparedProblem& prepared, const Trial& trial,
                                           const std::vector<Service>& services);

/// The tasks that may fit nodes that they mean, and what is unknown about the nodes that fit best.
[[nodiscard]] std::vector<OpenTask> find_open(const PreparedProblem& prepared, const Trial& trial,
                                              const std::vector<Service>& services);

}  // namespace gpulint::generate
