#pragma once

// flyte: Flyte's configuration and tasks → the pods that Flyte creates, with the origin of each
// field. It follows Flyte's own loader, types and defaults. It does not know nodes.

#include <string>
#include <vector>

#include "compiler/flyte/inject.h"
#include "compiler/flyte/loaded_release.h"
#include "compiler/flyte/task.h"
#include "compiler/model/scope/scope_model.h"

namespace gpulint::flyte {

/// A Flyte installation and the pods that it creates for the tasks.
struct Installation {
  LoadedRelease loaded;
  std::vector<Task> tasks;        ///< Declared; assumed if none is declared.
  std::vector<CompiledPod> pods;  ///< One for each task, in order; empty if propeller is not known.
};

/// A declared task that Flyte rejects, so there are no findings about its pod.
struct RefusedTask {
  const Task* task = nullptr;
  std::string reason;
  Node node;  ///< Null for tasks of the command line.
};
/// All rejected tasks, except those that request more GPUs than flyteadmin allows (task-gpu-limit).
[[nodiscard]] std::vector<RefusedTask> refused_tasks(const Installation& installation);

/// The Flyte analysis of a scope, made once and read by every rule (`Corpus::flyte`).
struct Analysis {
  std::vector<Installation> installations;
};

/// Finds the installations, reads the tasks that settings declare, and compiles them. If no task is
/// declared and the scope has GPU nodes, one task for each kind of accelerator is assumed. `jobs`:
/// threads, as in parallel_for().
[[nodiscard]] Analysis analyze(const ScopeModel& model, unsigned jobs);

/// The same with Flyte's own defaults, for a scope without an installation.
[[nodiscard]] Analysis analyze_defaults(const ScopeModel& model, unsigned jobs);

}  // namespace gpulint::flyte
