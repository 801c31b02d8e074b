#pragma once

#include <string>
#include <vector>

#include "compiler/flyte/config_value.h"
#include "compiler/model/settings.h"
#include "compiler/model/workload.h"

namespace gpulint::flyte {

/// Where an item of a compiled pod comes from.
struct Origin {
  std::string pointer;  ///< JSON pointer into the pod's spec: `/tolerations/0`.
  Node node;            ///< The line of configuration or task; nothing for what is built in.
  std::string key;      ///< Dotted: `plugins.k8s.resource-tolerations`, `task.requests.gpu`.
};

/// The pod that Flyte submits for a task.
struct CompiledPod {
  std::string task;
  FlyteVersion version = FlyteVersion::v1;
  std::string source;           ///< First file of the installation; empty where there is none.
  bool assumed = false;         ///< The task was not declared by the user.
  Workload workload;            ///< Of origin `compiled`.
  ConfigValue affinity;         ///< podAffinity and podAntiAffinity, as decoded; null where absent.
  std::vector<Origin> origins;  ///< Of every item that Flyte or the task put in, by pointer.
  std::string error;            ///< Flyte's refusal; empty where it submits the pod.
  std::string error_stage;      ///< `config` or `task`.
  Node error_node;
  /// Flyte takes resource tolerations in no fixed order, and there are several here.
  bool toleration_order_unstable = false;
};

}  // namespace gpulint::flyte
