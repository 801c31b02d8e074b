#pragma once

// flyte: Flyte's configuration and tasks → the pods that Flyte creates, with the origin of each
// field. It follows Flyte's own loader, types and defaults. It does not know nodes.

#include <string>
#include <vector>

#include "compiler/flyte/inject.h"
#include "compiler/flyte/loaded_release.h"
#include "compiler/flyte/task.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::flyte {

/// A Flyte installation and the pods it makes of the tasks.
struct Installation {
  LoadedRelease loaded;
  std::vector<Task> tasks;        ///< Declared, or assumed where none is.
  std::vector<CompiledPod> pods;  ///< One a task, in order; none where propeller is not known.
};

/// A declared task that Flyte refuses. Findings about its pod there are none.
struct RefusedTask {
  const Task* task = nullptr;
  std::string reason;
  Node node;  ///< Nothing for tasks of the command line.
};
/// Every one but those that ask flyteadmin for more GPUs than it lets through (task-gpu-limit).
[[nodiscard]] std::vector<RefusedTask> refused_tasks(const Installation& installation);

/// All that a scope says of Flyte, made once and read by every rule (`Corpus::flyte`).
struct Analysis {
  std::vector<Installation> installations;
};

/// Finds the installations, reads the tasks that settings declare, and compiles them. Where no task
/// is declared and the scope knows GPU nodes, one for each kind of accelerator is assumed. `jobs`:
/// threads, as in parallel_for().
[[nodiscard]] Analysis analyze(const Corpus& corpus, unsigned jobs);

/// The same under Flyte's own defaults, of a scope that knows nothing of an installation.
[[nodiscard]] Analysis analyze_defaults(const Corpus& corpus, unsigned jobs);

}  // namespace gpulint::flyte
