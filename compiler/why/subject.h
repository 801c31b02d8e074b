#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/api_validation/api_problem.h"
#include "compiler/flyte/inject.h"
#include "compiler/flyte/loaded_release.h"
#include "compiler/flyte/task.h"
#include "compiler/model/kinds/runtime_classes.h"
#include "compiler/schedule/placement.h"
#include "compiler/schedule/verdict.h"

namespace gpulint::why {

/// A workload of a placement, and its origin. All pointers must outlive the story.
struct Subject {
  std::string name;
  const Placement* placement = nullptr;
  std::size_t workload = 0;
  const flyte::CompiledPod* pod = nullptr;  ///< Null for manifests, like the next two.
  const flyte::Task* task = nullptr;
  const flyte::LoadedRelease* release = nullptr;
  std::vector<ApiProblem> refusals;
  std::vector<Obstacle> obstacles;  ///< Obstacles before the nodes (schedule/gates).
  ExtendedResourceToleration admission = ExtendedResourceToleration::off;
  const RuntimeClasses* runtime_classes = nullptr;  ///< Of the scope; never null.

  [[nodiscard]] const PreparedPod& prepared() const { return placement->pod(workload); }
  [[nodiscard]] const Cluster& cluster() const { return placement->cluster(); }
};

}  // namespace gpulint::why
