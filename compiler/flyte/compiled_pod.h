#pragma once

#include <string>
#include <vector>

#include "compiler/flyte/config_value.h"
#include "compiler/model/settings.h"
#include "compiler/model/workload.h"

namespace gpulint::flyte {

/// The origin of an item of a compiled pod.
struct Origin {
  std::string pointer;  ///< JSON pointer into the pod's spec: `/tolerations/0`.
  Node node;            ///< The line of configuration or task; null if it is built in.
  std::string key;      ///< Dotted: `plugins.k8s.resource-tolerations`, `task.requests.gpu`.
};

/// The pod that Flyte submits for a task.
struct CompiledPod {
  std::string task;
  FlyteVersion version = FlyteVersion::v1;
  std::string source;           ///< First file of the installation; empty if there is none.
  bool assumed = false;         ///< The task was not declared by the user.
  Workload workload;            ///< With origin `compiled`.
  ConfigValue affinity;         ///< podAffinity and podAntiAffinity, as decoded; null if absent.
  std::vector<Origin> origins;  ///< Of every item from Flyte or the task, by pointer.
  std::string error;            ///< Why Flyte rejects it; empty if Flyte submits the pod.
  std::string error_stage;      ///< `config` or `task`.
  Node error_node;
  /// Flyte has no fixed order for resource tolerations, and there are several here.
  bool toleration_order_unstable = false;
};

}  // namespace gpulint::flyte
