#include "compiler/engine/rule.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/model/workload.h"
#include "compiler/schedule/gpu_daemon.h"
#include "rules/daemonset-misses-gpu-nodes/plugin_selection.h"
#include "rules/support/causes.h"
#include "rules/support/label_edits.h"
#include "rules/support/toleration_edits.h"

namespace gpulint::rules::daemonset_misses_gpu_nodes {
namespace {

/// Who it is, and the path of its tolerations in what makes it (operands.h); empty: it has its own.
struct Named {
  std::string who;
  std::string path;
};

/// What GPU nodes lack without the DaemonSet.
[[nodiscard]] std::string_view loss(GpuDaemonRole role) {
  switch (role) {
    case GpuDaemonRole::device_plugin:
      return "their GPUs are never advertised";
    case GpuDaemonRole::dra_driver:
      return "their GPUs are in no ResourceSlice";
    case GpuDaemonRole::driver:
      return "their GPUs get no driver";
    case GpuDaemonRole::container_toolkit:
      return "their containers see no GPU";
    case GpuDaemonRole::mig_manager:
      return "their GPUs are never partitioned";
    case GpuDaemonRole::vgpu_manager:
      return "their vGPU devices are never made";
    case GpuDaemonRole::feature_discovery:
      return "they get no GPU labels";
    case GpuDaemonRole::node_feature_discovery:
      return "they get no labels by which operators find them";
    case GpuDaemonRole::monitoring:
      return "their GPUs are not monitored";
    case GpuDaemonRole::network:
      return "their network devices are given to no pod";
    case GpuDaemonRole::other:
      break;
  }
  return "they are not served";
}

/// A warning where it is not known whether anything on the nodes needs the DaemonSet, or whether
/// other values go over the chart's.
[[nodiscard]] Severity severity_of(const Workload& workload) {
  const std::optional<GpuDaemon> daemon = find_gpu_daemon(workload);
  const bool is_of_chart = workload.origin == Workload::Origin::values;
  const bool is_open = daemon && (daemon->role == GpuDaemonRole::network ||
                                  daemon->role == GpuDaemonRole::node_feature_discovery);
  return is_open || is_of_chart ? Severity::warning : Severity::error;
}

/// What GPU nodes lack without it: «their GPUs are never advertised».
[[nodiscard]] std::string_view loss_without(const Workload& workload) {
  const std::optional<GpuDaemon> daemon = find_gpu_daemon(workload);
  return daemon ? loss(daemon->role) : "they are not served";
}

[[nodiscard]] Named name_of(const Workload& workload) {
  const std::size_t colon = workload.role.find(": ");
  if (colon == std::string::npos) return {describe(workload), {}};
  return {fmt::format("DaemonSet `{}` ({})", workload.name, workload.role.substr(0, colon)),
          workload.role.substr(colon + 2)};
}

void report_taint(const Corpus& corpus, const Cause& cause, const UntoleratedTaint& taint,
                  Reporter& reporter) {
  const Workload& workload = *cause.workloads.front();
  const Named named = name_of(workload);
  Finding finding =
      reporter.report_span(cause.where, cause.blame, "taint `{}` keeps {} off GPU nodes: {}",
                           taint_text(taint), named.who, loss_without(workload));
  finding.at_most(severity_of(workload))
      .related(cause.other, fmt::format("the taint of {}", describe(*cause.pool)))
      .help("tolerate the taint{}; DaemonSets that nodes need tolerate every taint of theirs",
            named.path.empty() ? "" : fmt::format(" in `{}`", named.path));
  if (taint.miss == UntoleratedTaint::Miss::value) {
    finding.fix(Safety::unsafe, fmt::format("tolerate the value `{}`", taint.value),
                correct_value(*corpus.sources, taint.near, taint.value));
  }
  if (taint.miss != UntoleratedTaint::Miss::none) return;
  finding.fix(
      Safety::unsafe, fmt::format("tolerate `{}`", taint_text(taint)),
      add_tolerations(*corpus.sources, workload.pod, {{taint.key, taint.value, taint.effect}}));
}

void report_selection(const Corpus& corpus, const Cause& cause,
                      const UnmatchedRequirement& unmatched, Reporter& reporter) {
  const Workload& workload = *cause.workloads.front();
  Finding finding = reporter.report_span(
      cause.where, cause.blame, "no known GPU node has `{}`, which {} selects: {}",
      requirement_text(unmatched), name_of(workload).who, loss_without(workload));
  finding.at_most(severity_of(workload))
      .related(cause.other, fmt::format("what {} carries", describe(*cause.pool)));
  if (!unmatched.carried.empty()) {
    finding.help("known nodes carry {} under this key", list(unmatched.carried));
  } else if (unmatched.suggested_key.empty()) {
    finding.help("label the GPU nodes so, or select them by a label that they carry");
    if (!cause.other) finding.related(name_node(*cause.pool), "a GPU node without it");
  }
  if (unmatched.suggested_key.empty()) return;
  const MeantLabel meant{unmatched.suggested_key, unmatched.suggested_value};
  finding.help("{} carries `{}`", describe(*cause.pool), meant.text())
      .fix(Safety::unsafe, fmt::format("require `{}`", meant.text()),
           correct_labels(*corpus.sources, cause, meant));
}

void check(const Corpus& corpus, Reporter& reporter) {
  if (corpus.placement == nullptr) return;
  check_plugins_without_nodes(corpus, reporter);
  for (const Cause& cause : corpus.placement->daemon_gaps) {
    if (const auto* taint = std::get_if<UntoleratedTaint>(&cause.what)) {
      report_taint(corpus, cause, *taint, reporter);
    } else if (const auto* unmatched = std::get_if<UnmatchedRequirement>(&cause.what)) {
      report_selection(corpus, cause, *unmatched, reporter);
    }
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "placement", .fix = FixAvailability::unsafe, .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules::daemonset_misses_gpu_nodes
