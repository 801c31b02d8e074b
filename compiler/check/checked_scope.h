#pragma once

#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/engine/selection.h"
#include "compiler/project/project.h"
#include "compiler/project/reread.h"

namespace gpulint {

/// A scope whose rules have run once.
struct CheckedScope {
  const Project& project;
  const Scope& scope;
  const Selection& selection;
  std::vector<Diagnostic> of_files;  ///< judge_files() of it.
};

/// What the rules find after edits: as run_rules() over all of it, but rules that judge each file
/// by itself run over the edited ones alone.
[[nodiscard]] std::vector<Diagnostic> check_again(const CheckedScope& before,
                                                  const Rereading& after);

}  // namespace gpulint
