#pragma once

#include <string_view>
#include <vector>

#include "compiler/ir/document.h"
#include "compiler/ir/node.h"

namespace gpulint {

// volcano-sh/volcano 1.13, pkg/scheduler/plugins/deviceshare/deviceshare.go: the ends of the
// switches, after `deviceshare.`, or after `predicate.` in releases before 1.8.
constexpr std::string_view volcano_vgpu = ".VGPUEnable";
constexpr std::string_view volcano_gpu_memory = ".GPUSharingEnable";
constexpr std::string_view volcano_gpu_number = ".GPUNumberEnable";

/// A configuration of Volcano's scheduler.
struct VolcanoScheduler {
  Node tiers;
  std::vector<Node> plugins;

  /// The plugin with this name; null if there is none.
  [[nodiscard]] Node find(std::string_view name) const;
  /// The enabled switch with this end; null if there is none.
  [[nodiscard]] Node find_switch(std::string_view end) const;
};
/// Without those that a template hides in part.
[[nodiscard]] std::vector<VolcanoScheduler> find_volcano_schedulers(
    const std::vector<const Document*>& documents);

}  // namespace gpulint
