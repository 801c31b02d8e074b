#pragma once

#include <string>
#include <string_view>

#include "compiler/base/diagnostic.h"
#include "compiler/model/workload.h"

namespace gpulint::rules::daemonset_misses_gpu_nodes {

/// A warning where it is not known whether anything on the nodes needs the DaemonSet, or whether
/// other values go over the chart's.
[[nodiscard]] Severity severity_of(const Workload& workload);

/// What GPU nodes lack without it: «their GPUs are never advertised».
[[nodiscard]] std::string_view loss_without(const Workload& workload);

/// Who it is, and the path of its tolerations in what makes it (operands.h); empty: it has its own.
struct Named {
  std::string who;
  std::string path;
};
[[nodiscard]] Named name_of(const Workload& workload);

}  // namespace gpulint::rules::daemonset_misses_gpu_nodes
