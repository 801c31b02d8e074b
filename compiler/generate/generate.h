#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/base/result.h"
#include "compiler/generate/block_text.h"
#include "compiler/generate/solve.h"
#include "compiler/project/project.h"

namespace gpulint {

/// The block for one scope as text, and the tasks that it does not solve.
struct Generated {
  std::string text;
  std::vector<generate::Unsolved> unsolved;
  std::vector<generate::OpenTask> open;
  bool is_empty = false;           ///< There is nothing to write.
  std::vector<std::string> notes;  ///< Assumptions, ready to print.
};

/// Solves a scope's tasks on its nodes and proves the answer: the text is read back, compiled over
/// the existing configuration, and placed. An Error if the existing configuration is rejected, no
/// node is known, or the proof fails.
[[nodiscard]] Result<Generated> generate_for_scope(const Scope& scope, bool bare);

/// The configuration of every scope with nodes, or with a provider whose nodes can be assumed.
struct GeneratedConfig {
  std::vector<Generated> scopes;
  std::string text;            ///< All of them, one document each.
  std::optional<Error> error;  ///< Why the next scope has none, or that there is no such scope.
};
[[nodiscard]] GeneratedConfig generate_for_project(const Project& project, bool bare);

}  // namespace gpulint
