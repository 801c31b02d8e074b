#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "compiler/base/result.h"
#include "compiler/project/project.h"

namespace gpulint {

/// A commented gpulint.yaml for what a folder holds.
struct ProposedConfig {
  std::string text;
  std::size_t nodes = 0;  ///< Files with nodes, GPU workloads and Flyte's values.
  std::size_t workloads = 0;
  std::size_t values = 0;
  std::optional<Error> error;  ///< Why gpulint itself would refuse it.
};

/// `target`: the file; `folder`: where it will lie. The project must have been
/// loaded from folders, without a configuration.
[[nodiscard]] ProposedConfig propose_config(const Project& project, const std::string& target,
                                            const std::string& folder);

}  // namespace gpulint
