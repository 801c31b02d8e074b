#pragma once

#include <vector>

#include "compiler/flyte/deployment.h"
#include "compiler/flyte/inject.h"
#include "compiler/flyte/task.h"
#include "compiler/model/corpus.h"

namespace gpulint::flyte {

/// A Flyte installation and the pods it makes of the tasks.
struct Installation {
  Deployment deployment;
  std::vector<Task> tasks;        ///< Declared, or assumed where none is.
  std::vector<CompiledPod> pods;  ///< One a task, in order; none where propeller is not known.
};

/// All that a scope says of Flyte, made once and read by every rule (`Corpus::flyte`).
struct Analysis {
  std::vector<Installation> installations;
};

/// Finds the installations, reads the tasks that settings declare, and compiles them. Where no task
/// is declared and the scope knows GPU nodes, one for each kind of accelerator is assumed.
[[nodiscard]] Analysis analyze(const Corpus& corpus);

}  // namespace gpulint::flyte
