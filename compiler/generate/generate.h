#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/base/result.h"
#include "compiler/generate/block_text.h"
#include "compiler/generate/solve.h"
#include "compiler/project/project.h"

namespace gpulint {

/// The block for one scope, as text, and what it does not solve.
struct Generated {
  std::string text;
  std::vector<generate::Unsolved> unsolved;
  std::vector<generate::OpenTask> open;
  bool is_empty = false;           ///< Nothing is to be written.
  std::vector<std::string> notes;  ///< What was assumed, ready to print.
};

/// Solves a scope's tasks on its nodes and proves the answer: the text is read back, compiled over
/// the configuration that is there, and placed. An Error where the configuration at hand is
/// refused, nothing is known of any node, or the proof fails.
[[nodiscard]] Result<Generated> generate_for_scope(const Project& project, const Scope& scope,
                                                   bool bare);

/// The configuration of every scope with nodes, or with a provider that tells what they are like.
struct GeneratedConfig {
  std::vector<Generated> scopes;
  std::string text;            ///< Of all of them, a document each.
  std::optional<Error> error;  ///< Why the next one has none, or that there is no such scope.
};
[[nodiscard]] GeneratedConfig generate_for_project(const Project& project, bool bare);

}  // namespace gpulint
