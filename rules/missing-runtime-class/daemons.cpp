#include "rules/missing-runtime-class/daemons.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/schedule/operands.h"
#include "rules/missing-runtime-class/platform.h"

namespace gpulint::rules::missing_runtime_class {
namespace {

/// A daemon that loads NVIDIA's libraries.
struct Daemon {
  const Workload* workload = nullptr;
  GpuDaemonRole role = GpuDaemonRole::device_plugin;
  Node place;    ///< What to point at.
  Node mapping;  ///< Where the class is named.
};

[[nodiscard]] std::optional<GpuDaemonRole> role_with_libraries(const Workload& workload) {
  const auto daemon = find_gpu_daemon(workload);
  if (!daemon || daemon->vendor != "nvidia.com") return std::nullopt;
  const bool loads = daemon->role == GpuDaemonRole::device_plugin ||
                     daemon->role == GpuDaemonRole::feature_discovery ||
                     daemon->role == GpuDaemonRole::monitoring;
  return loads ? std::optional(daemon->role) : std::nullopt;
}

[[nodiscard]] std::vector<Daemon> find_library_daemons(const Corpus& corpus,
                                                       const std::deque<Workload>& operands) {
  std::vector<Daemon> found;
  for (const Workload& workload : corpus.workloads) {
    const auto role = role_with_libraries(workload);
    if (!role || workload.pod.containers.empty()) continue;
    if (asks_remote_engine(workload)) continue;
    const Node image = workload.pod.containers.front().image.node();
    found.push_back({&workload, *role, image, workload.pod.node});
  }
  for (const Workload& operand : operands) {
    const auto role = role_with_libraries(operand);
    if (!role || runtime_class_key(operand).empty()) continue;
    if (asks_remote_engine(operand)) continue;
    found.push_back({&operand, *role, operand.template_node, operand.object});
  }
  return found;
}

[[nodiscard]] std::string_view name_of_role(GpuDaemonRole role) {
  if (role == GpuDaemonRole::monitoring) return "the DCGM exporter";
  return role == GpuDaemonRole::device_plugin ? "NVIDIA's device plugin"
                                              : "NVIDIA's feature discovery";
}

}  // namespace

void offer_class(const Corpus& corpus, const NeededClass& needed, Node mapping, Finding& finding) {
  if (!mapping || mapping.document()->host != nullptr) return;  // values in a text
  finding.fix(Safety::unsafe, fmt::format("write `runtimeClassName: {}`", needed.name),
              insert_entry(*corpus.sources, mapping, "runtimeClassName", yaml_string(needed.name)));
}

void check_daemons(const Corpus& corpus, const NeededClass& known, Reporter& reporter) {
  const std::deque<Workload> operands = find_operands(corpus);
  const std::vector<Daemon> daemons = find_library_daemons(corpus, operands);
  const auto names_class = [](const Daemon& daemon) {
    return daemon.workload->pod.runtime_class_name.is_known();
  };
  const auto sibling = std::ranges::find_if(daemons, names_class);
  NeededClass needed = known;
  if (needed.platform.empty()) {
    if (const auto platform = find_platform_of_all(corpus.cluster)) {
      needed = {known.name.empty() ? "nvidia" : known.name, platform->evidence, platform->name};
    }
  }
  if (sibling != daemons.end() && needed.platform.empty()) {
    needed.name = sibling->workload->pod.runtime_class_name.value();
  }
  if (needed.platform.empty() && sibling == daemons.end()) return;
  for (const Daemon& daemon : daemons) {
    if (!daemon.workload->pod.runtime_class_name.is_absent()) continue;
    Finding finding =
        reporter.report(daemon.place, "{} names no runtime class", name_of_role(daemon.role));
    if (needed.platform.empty()) {
      finding.related(sibling->workload->pod.runtime_class_name.node(),
                      fmt::format("what {} needs here", name_of_role(sibling->role)));
    } else {
      finding.related(needed.runtime_class, fmt::format("a node of {}", needed.platform));
    }
    finding.help("without the driver's libraries it finds no GPU, and {}",
                 daemon.role == GpuDaemonRole::device_plugin ? "none is advertised"
                 : daemon.role == GpuDaemonRole::monitoring  ? "crashes"
                                                             : "labels none");
    offer_class(corpus, needed, daemon.mapping, finding);
  }
}

}  // namespace gpulint::rules::missing_runtime_class
