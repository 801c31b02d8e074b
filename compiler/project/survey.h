#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "compiler/base/result.h"
#include "compiler/project/project.h"

namespace gpulint {

/// A gpulint.yaml with comments for the files of a folder.
struct ProposedConfig {
  std::string text;
  std::size_t nodes = 0;       ///< Files with nodes.
  std::size_t workloads = 0;   ///< Files with GPU workloads.
  std::size_t values = 0;      ///< Files with values of Flyte.
  std::optional<Error> error;  ///< Why `text` would not be a valid configuration.
};

/// `target`: the path of the new file; `folder`: its folder. The project must be loaded from
/// folders, without a configuration.
[[nodiscard]] ProposedConfig propose_config(const Project& project, const std::string& target,
                                            const std::string& folder);

}  // namespace gpulint
